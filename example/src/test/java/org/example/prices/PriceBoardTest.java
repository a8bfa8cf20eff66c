package org.example.prices;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.BroadcastOptions;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.TreeEdge;
import io.treecast.client.TreeView;
import io.treecast.client.Treecast;
import io.treecast.testkit.junit.ClusterTest;
import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.local.LocalCluster;
import java.time.Duration;

/** The example of a service's own test, which the page on the test kit shows with its imports. */
class PriceBoardTest {
  // tag::link
  @ClusterTest(nodes = 3, topology = TestNetwork.COMPLETE)
  void a_price_arrives_though_a_link_is_cut(LocalCluster cluster) {
    try (Treecast shop = Treecast.connect(cluster.address(0));
        Treecast board = Treecast.connect(cluster.address(2));
        EventIterator<Message> prices = board.blocking().subscribe()) {
      cluster.links().cut(0, 2);
      shop.blocking().broadcast("42".getBytes(UTF_8));

      assertThat(prices.poll(Duration.ofSeconds(30))).extracting(Message::text).isEqualTo("42");
    }
  }

  // end::link

  // tag::example
  @ClusterTest(nodes = 4, topology = TestNetwork.COMPLETE)
  void a_price_arrives_though_a_link_of_the_tree_is_cut(LocalCluster cluster) {
    try (Treecast shop = Treecast.connect(cluster.address(0));
        Treecast board = Treecast.connect(cluster.address(3));
        EventIterator<TreeView> trees = board.blocking().watchTree();
        EventIterator<Message> prices =
            board.blocking().subscribe(SubscribeOptions.defaults().withTopics("prices"))) {
      TreeEdge lightest = trees.next().edges().get(0); // node 2 has the id "2"
      int low = Integer.parseInt(lightest.low());
      int high = Integer.parseInt(lightest.high());

      long beforeNanos = cluster.nowNanos();
      cluster.links().cut(low, high);
      shop.blocking()
          .broadcast("42".getBytes(UTF_8), BroadcastOptions.defaults().withTopic("prices"));

      assertThat(prices.poll(Duration.ofSeconds(30))).extracting(Message::text).isEqualTo("42");
      assertThat(cluster)
          .isMinimumSpanningTree()
          .hasReconfiguredSince(beforeNanos, "tree-link-lost")
          .hasNoTreeEdge(low, high);
    }
  }
  // end::example
}
