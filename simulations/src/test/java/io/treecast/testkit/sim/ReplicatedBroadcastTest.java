package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.Seeds;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.network.RandomGraphs;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The replicas reported to a publisher, and their protection when its agent is killed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicatedBroadcastTest {
  private static final long PATIENCE_MILLIS = 600_000;
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final int NODES = 7;
  private static final int SEEDS = 10;

  /** The cluster of the tests without faults. */
  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 42);

  @BeforeAll
  void runUntilReady() {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
  }

  private static SimReplication replicate(
      SimCluster cluster, int source, String topic, int bytes, int replicas) {
    SimReplication outcome = new SimReplication(replicas);
    cluster.replicate(source, topic, ByteBuffer.allocate(bytes), WAIT, outcome);
    return outcome;
  }

  private static SimReplication known(SimCluster cluster, SimReplication outcome) {
    assertThat(cluster.runUntil(outcome::isKnown, 2 * WAIT.toMillis())).isTrue();
    return outcome;
  }

  private static long reports(SimCluster cluster) {
    return cluster.snapshots().stream().mapToLong(s -> s.broadcast().receiptMessages()).sum();
  }

  private static boolean haveIt(
      SimCluster cluster, MessageId message, SortedSet<Incarnation> incarnations) {
    return cluster.deliveries().deliveredNanos(message).keySet().containsAll(incarnations);
  }

  // Without faults.

  @Test
  void one_replica_costs_a_message_of_each_neighbour_and_none_if_not_requested() {
    for (int source = 0; source < cluster.topology().nodes(); source++) {
      long before = reports(cluster);
      cluster.replicate(source, Topic.DEFAULT, ByteBuffer.allocate(9), WAIT, new SimReplication(0));
      assertThat(cluster.runUntil(() -> false, 1_500)).isFalse();
      assertThat(reports(cluster)).isEqualTo(before);

      SimReplication outcome = known(cluster, replicate(cluster, source, Topic.DEFAULT, 9, 1));
      assertThat(outcome.replicas()).isEqualTo(1);
      assertThat(cluster.runUntil(() -> false, 1_500)).isFalse();
      int neighbours =
          Objects.requireNonNull(cluster.snapshots().get(source).tree().tree())
              .neighbours(SimSettings.id(source))
              .size();
      assertThat(reports(cluster) - before).as("from %d", source).isEqualTo(neighbours);
    }
  }

  @Test
  void any_number_of_replicas_up_to_all_other_members_is_reached() {
    for (int replicas = 1; replicas < cluster.topology().nodes(); replicas++) {
      SimReplication outcome = known(cluster, replicate(cluster, 9, Topic.DEFAULT, 9, replicas));
      assertThat(outcome.isReplicated()).as("%d replicas", replicas).isTrue();
      assertThat(cluster.deliveries().count(Objects.requireNonNull(outcome.message())))
          .isGreaterThan(replicas);
    }
  }

  @Test
  void more_replicas_than_other_members_are_waited_for_until_the_deadline() {
    long began = cluster.nowNanos();

    SimReplication outcome = known(cluster, replicate(cluster, 9, Topic.DEFAULT, 9, 24));

    assertThat(outcome.message()).isNotNull();
    assertThat(outcome.replicas()).isEqualTo(23);
    assertThat(cluster.nowNanos() - began).isEqualTo(WAIT.toNanos());
  }

  @Test
  void members_on_the_paths_to_a_topics_subscribers_count_as_replicas() {
    assertThat(known(cluster, replicate(cluster, 0, "prices", 9, 1)).replicas())
        .as("nobody subscribes")
        .isZero();
    cluster.subscribe(16, "prices");

    SimReplication outcome = known(cluster, replicate(cluster, 0, "prices", 9, 24));

    assertThat(outcome.replicas()).as("the path, not the tree").isBetween(1, 22);
    assertThat(
            known(cluster, replicate(cluster, 0, "prices", 9, outcome.replicas())).isReplicated())
        .isTrue();
  }

  @Test
  void a_retry_has_the_same_answer_and_sends_no_second_copy() {
    cluster.subscribe(0, "retries");
    List<SimReplication> attempts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SimReplication attempt = new SimReplication(1, "token");
      attempts.add(attempt);
      cluster.replicate(0, "retries", ByteBuffer.allocate(9), WAIT, attempt);
      if (i == 1) {
        assertThat(attempts.get(0).isKnown())
            .as("the second comes while the first waits")
            .isFalse();
        known(cluster, attempt);
        cluster.subscribe(16, "retries");
      }
    }

    assertThat(attempts).allSatisfy(attempt -> assertThat(attempt.isKnown()).isTrue());
    assertThat(attempts.stream().map(SimReplication::message).distinct()).hasSize(1);
    assertThat(attempts).allSatisfy(attempt -> assertThat(attempt.replicas()).isZero());
  }

  @Test
  void a_member_that_is_frozen_is_waited_for_and_not_counted() {
    SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 42);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    cluster.pause(7);

    SimReplication outcome = known(cluster, replicate(cluster, 12, Topic.DEFAULT, 9, 23));

    assertThat(outcome.replicas()).isEqualTo(22);
  }

  // The guarantee, with faults.

  @Test
  void a_message_with_a_replica_outlives_its_publisher_whenever_that_is_killed() {
    long[] seeds = Seeds.first(SEEDS).toArray();
    long replicated =
        LongStream.of(seeds).filter(ReplicatedBroadcastTest::killedOnceReplicated).count();
    assertThat(replicated)
        .as("seeds in which there was a replica")
        .isGreaterThanOrEqualTo(seeds.length * 8 / 10);
  }

  private static boolean killedOnceReplicated(long seed) {
    Random random = new Random(seed);
    SimCluster cluster = new SimCluster(RandomGraphs.sparse(NODES, 3, seed), seed);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    boolean isOnTopic = random.nextInt(3) == 0;
    String topic = isOnTopic ? "prices" : Topic.DEFAULT;
    for (int node = 0; isOnTopic && node < NODES; node++) {
      cluster.subscribe(node, topic);
    }
    int source = random.nextInt(NODES);
    int wanted = 1 + random.nextInt(2);
    // Some messages have many chunks; before some the tree is about to change.
    if (random.nextInt(3) == 0) {
      cluster.crash((source + 1 + random.nextInt(NODES - 1)) % NODES);
      assertThat(cluster.runUntil(() -> false, random.nextInt(3_000))).isFalse();
    }
    SimReplication outcome = new SimReplication(wanted);
    if (!isOnTopic && random.nextInt(3) == 0) {
      int pieces = 1 + random.nextInt(20);
      cluster
          .uploads()
          .plan(
              new UploadPlan(cluster.nowNanos() + 1, source, 400_000, pieces, 1_000_000, false),
              outcome);
    } else {
      ByteBuffer payload = ByteBuffer.allocate(random.nextBoolean() ? 10 : 400_000);
      cluster.replicate(source, topic, payload, WAIT, outcome);
    }
    known(cluster, outcome);
    cluster.crash(source);

    SortedSet<Incarnation> survivors = new TreeSet<>(cluster.running().values());
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    MessageId message = Objects.requireNonNull(outcome.message());
    // A sparse network may fall apart, so that the part with a replica lacks some members.
    if (outcome.isReplicated() && isOneTree(cluster)) {
      assertThat(cluster.runUntil(() -> haveIt(cluster, message, survivors), PATIENCE_MILLIS))
          .as("seed %d: %s reaches all of %s", seed, message, survivors)
          .isTrue();
      return true;
    }
    return false;
  }

  private static boolean isOneTree(SimCluster cluster) {
    return cluster.unpaused().values().stream()
        .allMatch(
            agent ->
                Objects.requireNonNull(agent.tree().tree()).members().size()
                    == cluster.running().size());
  }

  @Test
  void a_message_that_is_only_accepted_may_be_lost_with_its_publisher() {
    SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 42);
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    for (int other = 0; other < cluster.topology().nodes(); other++) {
      if (other != 12) {
        cluster.links().cut(12, other);
      }
    }
    SimReplication accepted = replicate(cluster, 12, Topic.DEFAULT, 9, 0);
    SimReplication waiting = replicate(cluster, 12, Topic.DEFAULT, 9, 1);
    MessageId message = Objects.requireNonNull(accepted.message(), "it is accepted at once");
    assertThat(known(cluster, waiting).replicas()).as("no other member has it").isZero();

    cluster.crash(12);
    cluster.links().heal();

    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).isTrue();
    assertThat(cluster.runUntilAtRest(PATIENCE_MILLIS)).isTrue();
    SortedSet<Incarnation> survivors = new TreeSet<>(cluster.running().values());
    assertThat(cluster.deliveries().deliveredNanos(message).keySet())
        .doesNotContainAnyElementsOf(survivors);
  }
}
