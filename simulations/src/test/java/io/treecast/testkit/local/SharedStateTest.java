package io.treecast.testkit.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.client.Best;
import io.treecast.client.BroadcastOptions;
import io.treecast.client.Claim;
import io.treecast.client.Codec;
import io.treecast.client.Confirm;
import io.treecast.client.Confirmation;
import io.treecast.client.EventIterator;
import io.treecast.client.Group;
import io.treecast.client.Message;
import io.treecast.client.Selector;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.junit.ClusterTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Timeout;

/** Tests await labels, groups and values at all agents, and applications send to selected ones. */
@Timeout(300)
@Order(1)
class SharedStateTest {
  private static final byte[] PAYLOAD = "update".getBytes(StandardCharsets.UTF_8);

  @ClusterTest(nodes = 3)
  void what_applications_share_is_awaited_at_all_agents(LocalCluster cluster) {
    try (Treecast client = Treecast.connect(cluster.address(1))) {
      Subscription label = client.members().label("gpu", "8").join();
      cluster.awaitMembers("gpu>=4", 1);
      label.close();
      cluster.awaitMembers("gpu>=4");

      Group group = client.groups().join("trainers/west");
      cluster.awaitGroup("trainers", 1);
      group.leave();
      cluster.awaitGroup("trainers", 0);

      client.values("routes", Codec.utf8()).put("eu", "h7").join();
      cluster.awaitValue("routes", "eu", "h7");
      client.values("routes", Codec.utf8()).delete("eu").join();
      cluster.awaitValue("routes", "eu", null);
    }
  }

  @ClusterTest(nodes = 3)
  void a_best_value_and_a_holder_are_awaited_at_all_agents(LocalCluster cluster) {
    try (Treecast client = Treecast.connect(cluster.address(1))) {
      client.best("incumbent", Best.MIN, Codec.utf8()).offer(17.5, "route 4").join();
      cluster.awaitBest("incumbent", Best.MIN, 17.5);

      Claim claim =
          client.claims().among("0", "1", "2").acquire("nightly", Duration.ofSeconds(10)).join();
      cluster.awaitClaim("nightly", 1, 0, 1, 2);
      claim.release().join();
      cluster.awaitClaim("nightly", null, 0, 1, 2);
    }
  }

  @ClusterTest(nodes = 3)
  void the_majority_gets_a_claim_when_its_holder_has_crashed(LocalCluster cluster) {
    try (Treecast holder = Treecast.connect(cluster.address(0));
        Treecast next = Treecast.connect(cluster.address(1))) {
      holder.claims().among("0", "1", "2").acquire("nightly", Duration.ofSeconds(5)).join();
      cluster.awaitClaim("nightly", 0, 0, 1, 2);

      cluster.crash(0);
      next.claims().among("0", "1", "2").acquire("nightly", Duration.ofSeconds(10)).join();

      cluster.awaitClaim("nightly", 1, 0, 1, 2);
    }
  }

  @ClusterTest(nodes = 3)
  void the_time_of_each_tree_is_awaited_at_all_agents(LocalCluster cluster) {
    Duration bound = Duration.ofMillis(500);
    cluster.awaitClock(bound);
    CommittedTree before = Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());

    cluster.crash(Integer.parseInt(before.root().toString()));
    assertThat(cluster.runUntil(() -> noneHas(cluster, before), 60_000)).isTrue();

    cluster.awaitClock(bound);
  }

  private static boolean noneHas(LocalCluster cluster, CommittedTree tree) {
    return cluster.snapshots().stream()
        .noneMatch(agent -> Objects.equals(tree, agent.tree().tree()));
  }

  @ClusterTest(nodes = 3)
  void a_message_to_selected_members_reaches_their_subscribers_alone_and_is_confirmed_by_name(
      LocalCluster cluster) {
    List<String> others = new CopyOnWriteArrayList<>();
    try (Treecast publisher = Treecast.connect(cluster.address(0));
        Treecast old = Treecast.connect(cluster.address(2));
        Treecast other = Treecast.connect(cluster.address(1));
        EventIterator<Message> received = old.blocking().subscribe()) {
      other.subscribe(message -> others.add(message.topic())).ready().join();
      var unused = old.members().label("fw", "2.0").join();
      cluster.awaitMembers("fw<2.1", 2);

      Confirmation confirmation =
          Objects.requireNonNull(
              publisher
                  .blocking()
                  .broadcast(
                      PAYLOAD,
                      BroadcastOptions.to(Selector.parse("fw<2.1"))
                          .withConfirm(Confirm.ALL, Duration.ofSeconds(60)))
                  .confirmation());

      assertThat(confirmation.delivered()).containsExactly("2");
      assertThat(confirmation.isComplete()).isTrue();
      assertThat(received.poll(Duration.ofSeconds(60)))
          .satisfies(message -> assertThat(message.receivers()).containsExactly("2"))
          .extracting(Message::text)
          .isEqualTo("update");
      publisher.blocking().send("2", PAYLOAD);
      assertThat(received.poll(Duration.ofSeconds(60))).isNotNull();
      assertThat(others).isEmpty();
      assertThatThrownBy(
              () ->
                  publisher
                      .blocking()
                      .broadcast(PAYLOAD, BroadcastOptions.to(Selector.parse("fw>2.1"))))
          .isInstanceOfSatisfying(
              TreecastException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.MEMBERS_MISSING));
    }
  }
}
