package io.treecast.agent.runtime.admin;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.treecast.agent.runtime.Agent;
import io.treecast.agent.runtime.TestAgents;
import io.treecast.client.Treecast;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answers of an agent to the live page: after a click, and once a second. */
class LivePageAnswersTest {
  private final TestAgents agents = new TestAgents();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void closeAll() {
    agents.close();
  }

  private HttpResponse<String> get(Agent agent, String path) {
    return TestAgents.inTime(() -> answer(agent, path));
  }

  private HttpResponse<String> answer(Agent agent, String path) {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create("http://" + agent.adminAddress() + path))
              .timeout(PATIENCE)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(path, e);
    }
  }

  private JsonNode json(Agent agent, String path) {
    HttpResponse<String> page = get(agent, path);
    assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(page.body());
  }

  @Test
  void a_link_is_explained_in_the_words_of_the_command_and_one_that_is_not_there_is_not() {
    List<Agent> cluster = agents.startReadyCluster(2);
    JsonNode why = json(cluster.get(0), "/link.json?peer=h2");
    assertThat(why.get("peer").asString()).isEqualTo("h2");
    assertThat(why.get("lines").get(0).asString()).contains("h2");
    assertThat(why.get("lines").get(1).asString()).startsWith("Its weight is ");
    assertThat(
            json(cluster.get(0), "/link.json?peer=h2&metric=bandwidth")
                .get("lines")
                .get(0)
                .asString())
        .contains("widest tree");
    assertThat(get(cluster.get(0), "/link.json?peer=h9").statusCode()).isEqualTo(404);
    for (String unnamed : List.of("/link.json", "/link.json?peer=", "/link.json?peer=%00")) {
      assertThat(get(cluster.get(0), unnamed).statusCode()).as(unnamed).isEqualTo(400);
    }
  }

  @Test
  void a_tree_of_the_history_is_there_whole_and_one_that_was_never_is_not() {
    List<Agent> cluster = agents.startReadyCluster(3);
    JsonNode latest = json(cluster.get(0), "/history.json").get("history").get(0);
    JsonNode tree = json(cluster.get(0), "/past-tree.json?version=" + latest.get("version"));
    assertThat(tree.get("tree").size()).isEqualTo(latest.get("edges").asInt()).isEqualTo(2);
    assertThat(tree.get("root")).isEqualTo(latest.get("root"));
    for (String unknown : List.of("?version=999", "?version=x", "", "?version=-1")) {
      assertThat(get(cluster.get(0), "/past-tree.json" + unknown).statusCode())
          .as(unknown)
          .isEqualTo(404);
    }
  }

  @Test
  void labels_and_groups_of_other_members_are_told() {
    List<Agent> cluster = agents.startReadyCluster(2);
    Agent other = cluster.get(1);
    assertThat(json(other, "/groups.json").get("groups").size()).isZero();
    assertThat(json(other, "/group.json?path=nobody").get("members").size()).isZero();
    try (Treecast treecast = Treecast.connect(cluster.get(0).address().toString())) {
      treecast.members().label("gpu", "8").join();
      treecast.groups().join("trainers/west").joined().join();

      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(json(other, "/labels.json").at("/labels/h1/gpu").asString())
                    .isEqualTo("8");
                assertThat(json(other, "/groups.json").toString())
                    .isEqualTo(
                        "{\"groups\":[{\"path\":\"trainers\",\"members\":1},{\"path\":\"trainers/west\",\"members\":1}],"
                            + "\"more\":false}");
                for (Agent asked : cluster) {
                  for (int times = 0; times < 2; times++) {
                    assertThat(json(asked, "/group.json?path=trainers").get("members").toString())
                        .isEqualTo("[\"h1\"]");
                  }
                }
              });
    }
    assertThat(get(other, "/group.json?path=/").statusCode()).isEqualTo(400);
    assertThat(get(other, "/group.json").statusCode()).isEqualTo(400);
  }

  @Test
  void an_agent_without_a_tree_says_that_it_knows_no_groups() {
    Agent waiting = agents.startWaiting("h1");
    assertThat(get(waiting, "/groups.json").statusCode()).isEqualTo(503);
    assertThat(get(waiting, "/group.json?path=trainers").statusCode()).isEqualTo(503);
    assertThat(get(waiting, "/labels.json").statusCode()).isEqualTo(200);
  }

  @Test
  void messages_are_counted() {
    List<Agent> cluster = agents.startReadyCluster(2);
    assertThat(json(cluster.get(0), "/activity.json").get("publishedMessages").asLong()).isZero();
    try (Treecast treecast = Treecast.connect(cluster.get(0).address().toString())) {
      treecast.subscribe(message -> {}).ready().join();
      treecast.broadcast(new byte[3]).join();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JsonNode activity = json(cluster.get(0), "/activity.json");
                assertThat(activity.get("publishedMessages").asLong()).isEqualTo(1);
                assertThat(activity.get("deliveredMessages").asLong()).isEqualTo(1);
                assertThat(activity.get("forwardedChunks").asLong()).isEqualTo(1);
                assertThat(activity.get("missedMessages").asLong()).isZero();
              });
    }
  }

  @Test
  void an_agent_without_series_says_that_it_keeps_none() {
    HttpResponse<String> series = get(agents.start("h1"), "/series.json?peer=h2");
    assertThat(series.statusCode()).isEqualTo(404);
    assertThat(series.body()).contains("--series");
  }
}
