package io.treecast.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.client.EventIterator;
import io.treecast.client.Message;
import io.treecast.client.TreeView;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.Topology;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Seven agents, four at one site and three at another: 2 ms within a site, 20 ms between the sites.
 */
@Timeout(300)
class ClusterOfTwoSitesTest {
  private static final int NODES = 7;
  private static final int FIRST_OF_SECOND_SITE = 4;

  private static RunningCluster cluster;

  @BeforeAll
  static void start() throws ConfigException {
    List<Topology.Link> links = new ArrayList<>();
    for (int low = 0; low < NODES; low++) {
      for (int high = low + 1; high < NODES; high++) {
        links.add(new Topology.Link(low, high, site(low) == site(high) ? 2_000 : 20_000));
      }
    }
    cluster = RunningCluster.start(Topology.of(NODES, links));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static int site(int node) {
    return node < FIRST_OF_SECOND_SITE ? 0 : 1;
  }

  @Test
  void all_agents_agree_on_one_minimal_tree_that_crosses_between_the_sites_once() {
    awaitAsserted(
        () -> {
          CommittedTree tree = cluster.agreedMinimalTree();
          assertThat(tree.members()).hasSize(NODES);
          assertThat(tree.edges()).filteredOn(ClusterOfTwoSitesTest::crosses).hasSize(1);
        });
  }

  /** Repeats an assertion about the present tree, which may change on a busy machine. */
  private static void awaitAsserted(ThrowingRunnable assertion) {
    await().atMost(RunningCluster.LIMIT).untilAsserted(assertion);
  }

  private static boolean crosses(LinkWeight edge) {
    return site(Integer.parseInt(edge.low().toString()))
        != site(Integer.parseInt(edge.high().toString()));
  }

  @Test
  void links_are_measured_to_be_at_least_as_long_as_they_are() {
    assertThat(cluster.agreedMinimalTree().edges())
        .allSatisfy(
            edge -> assertThat(edge.cost()).isGreaterThanOrEqualTo(crosses(edge) ? 20_000 : 2_000));
  }

  @Test
  void every_subscriber_gets_the_broadcasts_of_several_origins_at_once_in_order() {
    int each = 40;
    List<Integer> origins = List.of(0, 3, 6);
    List<Inbox> inboxes = cluster.inboxes();

    ExecutorService publishers = Executors.newFixedThreadPool(origins.size());
    try {
      origins.stream()
          .map(node -> CompletableFuture.runAsync(() -> publish(node, each), publishers))
          .toList()
          .forEach(CompletableFuture::join);
    } finally {
      publishers.shutdownNow();
    }

    for (Inbox inbox : inboxes) {
      await()
          .atMost(RunningCluster.LIMIT)
          .until(inbox::size, size -> size >= each * origins.size());
      assertThat(inbox.size()).isEqualTo(each * origins.size());
      for (int node : origins) {
        List<Message> messages = inbox.from(Integer.toString(node));
        long first = messages.get(0).sequence();
        assertThat(messages)
            .extracting(Message::sequence)
            .containsExactlyElementsOf(LongStream.range(first, first + each).boxed().toList());
        for (int number = 0; number < each; number++) {
          byte[] sent = payload(node, number);
          assertThat(messages.get(number).payload())
              .as("message %s of %s", number, node)
              .matches(received -> Arrays.equals(received, sent));
        }
      }
    }
  }

  private static void publish(int node, int messages) {
    for (int number = 0; number < messages; number++) {
      cluster.client(node).blocking().broadcast(payload(node, number));
    }
  }

  /** Returns a payload of zero bytes to several chunks. */
  private static byte[] payload(int node, int number) {
    byte[] payload = new byte[(number * 7_919) % 200_000];
    new Random(31L * node + number).nextBytes(payload);
    return payload;
  }

  @Test
  void applications_see_the_tree() {
    awaitAsserted(
        () -> {
          CommittedTree tree = cluster.agreedMinimalTree();
          try (EventIterator<TreeView> trees = cluster.client(5).blocking().watchTree()) {
            TreeView seen = trees.next();

            assertThat(seen.ready()).isTrue();
            assertThat(seen.nodeId()).isEqualTo("5");
            assertThat(seen.version()).isEqualTo(tree.version());
            assertThat(seen.root()).isEqualTo(tree.root().toString());
            assertThat(seen.weightMicros()).isEqualTo(tree.weightMicros());
          }
        });
  }

  @Test
  void the_agent_is_healthy_and_ready() {
    awaitAsserted(
        () -> {
          assertThat(page("/healthz").statusCode()).isEqualTo(200);
          assertThat(page("/readyz").statusCode()).isEqualTo(200);
          assertThat(page("/tree.json").body()).contains("\"root\"");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "treecast_ready{node=\"3\"} 1.0",
        "treecast_tree_version{node=\"3\"} ",
        "treecast_tree_edges{node=\"3\"} 6.0",
        "treecast_tree_weight_seconds{node=\"3\"}",
        "treecast_links{node=\"3\",state=\"up\"} 6.0",
        "treecast_control_messages_total{node=\"3\",type=\"Connect\"}",
        "treecast_control_messages_total{node=\"3\",type=\"Commit\"}",
        "treecast_broadcast_published_total{node=\"3\"}",
        "treecast_broadcast_delivered_total{node=\"3\"}",
        "treecast_protocol_dropped_total{node=\"3\",reason="
      })
  void the_metrics_have_the_line(String line) {
    awaitAsserted(() -> assertThat(page("/metrics").body()).contains(line));
  }

  private static HttpResponse<String> page(String path) throws IOException, InterruptedException {
    HostPort admin = Objects.requireNonNull(cluster.agents().agent(0).adminAddress());
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + admin + path)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }
}
