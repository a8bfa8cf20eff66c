package io.treecast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.runtime.status.BuildVersion;
import io.treecast.cli.console.ExitCode;
import io.treecast.client.Subscription;
import io.treecast.client.Treecast;
import io.treecast.ghs.LinkWeight;
import io.treecast.mst.CommittedTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The commands about a whole cluster, at running agents. */
@Timeout(120)
class ClusterCommandsTest {
  private static LoopbackAgents cluster;

  @BeforeAll
  static void startCluster() throws Exception {
    cluster = new LoopbackAgents();
    cluster.at("east").start(null);
    cluster.start(null);
    cluster.at("west").start(null);
    cluster.awaitTreeOf(3);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private static CommittedTree tree() {
    return Objects.requireNonNull(cluster.agent(1).snapshot().join().tree().tree());
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asString).toList();
  }

  @Test
  void the_status_of_a_good_cluster_is_ten_lines() {
    CommandRun run = CommandRun.of("status", "--agent", cluster.address(2));

    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines())
        .extracting(line -> line.split(" {2,}", -1)[0])
        .containsExactly(
            "agent",
            "members",
            "tree",
            "diameter",
            "last change",
            "versions",
            "sites",
            "absent",
            "seeds",
            "health");
    assertThat(run.out())
        .contains("h2, site east, up for ")
        .contains("3 of 3 members answered, in 1 tree\n")
        .contains("version " + tree().version() + ", root " + tree().root() + ", 2 edges, ")
        .contains("east 2, west 1\n")
        .contains(BuildVersion.version() + " 3\n")
        .contains("1 answer from 1 seed\n");
  }

  /** Members receive the root's time soon after the commit. */
  @Test
  void the_tree_is_drawn_with_bounds_of_the_time() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              JsonNode json =
                  CommandRun.of(
                          "tree",
                          "show",
                          "--clocks",
                          "--agent",
                          cluster.address(1),
                          "--output",
                          "json")
                      .json();
              assertThat(json.get("clocks"))
                  .hasSize(3)
                  .allSatisfy(
                      clock ->
                          assertThat(clock.get("errorMillis").asDouble() > 0)
                              .isEqualTo(!clock.get("node").equals(json.get("root"))));
            });
    CommandRun run = CommandRun.of("tree", "show", "--clocks", "--agent", cluster.address(1));
    assertThat(run.out()).contains(tree().root() + " ±0.000 ms");
  }

  @Test
  void bounds_of_the_time_are_those_of_the_tree_by_latency() {
    assertThat(
            CommandRun.of("tree", "show", "--clocks", "--metric", "bandwidth", "--agent", "h1")
                .exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void the_status_is_printed_as_json() {
    CommandRun run = CommandRun.of("status", "--agent", cluster.address(1), "--output", "json");

    JsonNode json = run.json();
    assertThat(json.get("good").asBoolean()).isTrue();
    assertThat(json.get("answered").asInt()).isEqualTo(3);
    assertThat(json.get("trees").asInt()).isEqualTo(1);
    assertThat(json.get("minimal").asBoolean()).isTrue();
    assertThat(json.get("diameterEdges").asInt()).isEqualTo(2);
    assertThat(json.get("diameterMillis").asDouble()).isEqualTo(tree().weightMicros() / 1e3);
    assertThat(json.get("versions").get(BuildVersion.version()).asInt()).isEqualTo(3);
    assertThat(json.get("sites").get("west").asInt()).isEqualTo(1);
    assertThat(json.get("seeds").asInt()).isZero();
    assertThat(json.get("problems")).isEmpty();
    assertThat(json.get("treeAgeMillis").asLong()).isPositive();
    assertThat(json.get("upMillis").asLong())
        .isGreaterThanOrEqualTo(json.get("treeAgeMillis").asLong());
  }

  @Test
  void an_agent_that_is_down_is_wrong_and_named() throws Exception {
    try (LoopbackAgents agents = LoopbackAgents.withTree(3)) {
      agents.agent(3).crash();
      agents.awaitTreeOf(2);

      CommandRun run = CommandRun.of("status", "--agent", agents.address(1), "--output=json");

      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.json().get("good").asBoolean()).isFalse();
      assertThat(run.json().get("absentMillis").has("h3")).isTrue();
      assertThat(texts(run.json().get("problems"))).hasSize(1).first().asString().contains("h3");
      CommandRun members = CommandRun.of("members", "--agent", agents.address(2), "--output=json");
      assertThat(members.exitCode()).isEqualTo(ExitCode.PARTIAL);
      assertThat(members.json().get("members").get(2).get("state").asString()).startsWith("absent");
    }
  }

  @Test
  void members_are_a_table() {
    CommandRun run = CommandRun.of("members", "--agent", cluster.address(3));

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.outLines().get(0)).matches("id +address +site +version +since +state +labels");
    assertThat(run.outLines().get(1))
        .matches("h1 +" + cluster.address(1) + " +east +\\S+ +\\d{4}-\\d\\d-\\d\\dT\\S+ +ready +-");
    assertThat(run.outLines()).hasSize(4);
  }

  @Test
  void members_are_selected_by_their_labels() {
    CommandRun east = CommandRun.of("members", "--agent", cluster.address(3), "--where", "id<h3");
    assertThat(east.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(east.outLines()).hasSize(3);

    CommandRun wrong = CommandRun.of("members", "--agent", cluster.address(3), "--where", "a==b");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void members_are_printed_as_json() {
    JsonNode members =
        CommandRun.of("members", "--agent", cluster.address(2), "--output", "json")
            .json()
            .get("members");

    assertThat(members).hasSize(3);
    JsonNode last = members.get(2);
    assertThat(last.get("node").asString()).isEqualTo("h3");
    assertThat(last.get("address").asString()).isEqualTo(cluster.address(3));
    assertThat(last.get("site").asString()).isEqualTo("west");
    assertThat(last.get("version").asString()).isEqualTo(BuildVersion.version());
    assertThat(last.get("state").asString()).isEqualTo("ready");
    assertThat(last.get("reason").asString()).isEmpty();
  }

  @Test
  void topics_are_listed_with_the_members_that_use_them() throws Exception {
    try (Treecast here = Treecast.builder(cluster.address(1)).connect();
        Treecast there = Treecast.builder(cluster.address(3)).connect()) {
      Subscription subscription =
          here.subscribe(
              io.treecast.client.SubscribeOptions.defaults().withTopics("prices"), message -> {});
      subscription.ready().toCompletableFuture().join();
      there
          .broadcast(
              new byte[] {1}, io.treecast.client.BroadcastOptions.defaults().withTopic("news"))
          .join();

      JsonNode topics =
          CommandRun.of("topics", "--agent", cluster.address(2), "--output", "json")
              .json()
              .get("topics");

      List<String> names = new ArrayList<>();
      topics.forEach(topic -> names.add(topic.get("topic").asString()));
      assertThat(names).containsExactly("news", "prices");
      assertThat(texts(topics.get(0).get("publishedAt"))).containsExactly("h3");
      assertThat(topics.get(1).get("subscriptions").asInt()).isEqualTo(1);
      assertThat(texts(topics.get(1).get("subscribedAt"))).containsExactly("h1");
    }
  }

  @Test
  void links_are_chosen_and_sorted() {
    CommandRun one =
        CommandRun.of("links", "--agent", cluster.address(1), "--peer", "h3", "--output=json");
    assertThat(one.json().get("links")).hasSize(1);
    assertThat(one.json().get("links").get(0).get("peer").asString()).isEqualTo("h3");

    CommandRun edges =
        CommandRun.of("links", "--agent", cluster.address(1), "--tree", "--output=json");
    assertThat(edges.json().get("links"))
        .hasSameSizeAs(tree().neighbours(cluster.agent(1).snapshot().join().self().id()))
        .allMatch(link -> link.get("treeEdge").asBoolean());

    CommandRun sorted =
        CommandRun.of("links", "--agent", cluster.address(1), "--sort", "weight", "--output=json");
    JsonNode links = sorted.json().get("links");
    assertThat(links.get(0).get("weightMillis").asDouble())
        .isGreaterThanOrEqualTo(links.get(1).get("weightMillis").asDouble());

    CommandRun unknown = CommandRun.of("links", "--agent", cluster.address(1), "--peer", "h9");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err()).contains("'h9'");
  }

  @Test
  void the_history_ends_with_the_present_tree() {
    JsonNode history =
        CommandRun.of("tree", "history", "--agent", cluster.address(1), "--output", "json")
            .json()
            .get("history");
    JsonNode latest = history.get(history.size() - 1);
    assertThat(latest.get("version").asLong()).isEqualTo(tree().version());
    assertThat(latest.get("edges").asInt()).isEqualTo(2);

    CommandRun text =
        CommandRun.of("tree", "history", "--agent", cluster.address(1), "--latest", "1");
    assertThat(text.outLines()).hasSize(1);
    assertThat(text.out())
        .matches("(?s)\\d{4}-\\S+ version " + tree().version() + ", root h\\d, 2 edges, .*\\+h.*");
  }

  @Test
  void two_trees_of_the_history_are_compared() {
    JsonNode history =
        CommandRun.of("tree", "history", "--agent", cluster.address(1), "--output", "json")
            .json()
            .get("history");
    String first = Long.toString(history.get(0).get("version").asLong());
    String last = Long.toString(tree().version());

    CommandRun run =
        CommandRun.of("tree", "diff", first, last, "--agent", cluster.address(1), "--output=json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("second").get("edges").asInt()).isEqualTo(2);
    assertThat(json.get("added").size() - json.get("removed").size())
        .isEqualTo(2 - json.get("first").get("edges").asInt());

    CommandRun unknown =
        CommandRun.of("tree", "diff", "999999", last, "--agent", cluster.address(1));
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err()).contains("999999").contains("tree history");
  }

  @Test
  void after_the_loss_of_an_edge_the_third_link_is_predicted() {
    LinkWeight edge = tree().edges().get(0);
    String link = edge.low() + "-" + edge.high();

    CommandRun run =
        CommandRun.of("what-if", "--down", link, "--agent", cluster.address(3), "--output=json");

    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    JsonNode json = run.json();
    assertThat(json.get("removed")).hasSize(1);
    assertThat(json.get("added")).hasSize(1);
    assertThat(json.get("parts")).hasSize(1);
    assertThat(json.get("after").get("weightMillis").asDouble())
        .isGreaterThanOrEqualTo(json.get("before").get("weightMillis").asDouble());
  }

  @Test
  void after_a_crash_the_predicted_tree_lacks_the_agents() {
    CommandRun run =
        CommandRun.of("what-if", "--crash", "h3", "--agent", cluster.address(1), "--output=json");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
    assertThat(run.json().get("after").get("tree")).hasSize(1);
    assertThat(texts(run.json().get("parts").get(0))).containsExactly("h1", "h2");

    CommandRun unknown = CommandRun.of("what-if", "--crash", "h9", "--agent", cluster.address(1));
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
  }
}
