package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.Codec;
import io.treecast.client.Topic;
import io.treecast.testkit.network.Topology;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopicsOfValuesTest {
  private static final Topology PAIR = Topology.of(2, List.of(new Topology.Link(0, 1, 2_000)));

  @Test
  void a_value_reaches_the_subscribers_of_its_topic_and_no_others() throws Exception {
    try (RunningCluster cluster = RunningCluster.start(PAIR)) {
      Codec<String> text = Codec.utf8();
      Topic<String> orders = cluster.client(0).topic("orders", text);
      List<String> atTheOther = new CopyOnWriteArrayList<>();
      cluster
          .client(1)
          .topic("orders", text)
          .subscribe((order, message) -> atTheOther.add(message.topic() + " " + order))
          .ready()
          .get(RunningCluster.LIMIT.toSeconds(), TimeUnit.SECONDS);

      cluster.client(0).topic("prices", text).broadcast("7").get(60, TimeUnit.SECONDS);
      orders.broadcast("tea").get(60, TimeUnit.SECONDS);
      var replicated =
          orders
              .broadcast("coffee", BroadcastOptions.defaults().withReplicas(1))
              .get(60, TimeUnit.SECONDS);

      await().atMost(RunningCluster.LIMIT).until(() -> atTheOther.size() == 2);
      assertThat(atTheOther).containsExactly("orders tea", "orders coffee");
      assertThat(replicated.replicas()).isEqualTo(1);
    }
  }
}
