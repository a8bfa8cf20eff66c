package io.treecast.agent.runtime.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TreeHistoryTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00.123456Z");
  private static final NodeId HUB = NodeId.of("h0");

  private final TreeHistory history = new TreeHistory();

  private JsonNode page() {
    return JsonMapper.shared().readTree(history.json()).get("history");
  }

  private static TreeChange change(long version, List<LinkWeight> edges) {
    CommittedTree tree = new CommittedTree(version, HUB, edges);
    return new TreeChange(
        tree, version - 1, Set.of(ChangeCause.LIGHTER_LINK), List.of(), edges, 61_234_567, 7);
  }

  private static List<LinkWeight> star(int edges) {
    return IntStream.rangeClosed(1, edges)
        .mapToObj(i -> LinkWeight.between(HUB, NodeId.of("h" + i), 1_500))
        .toList();
  }

  @Test
  void there_is_none_before_the_first_tree() {
    assertThat(page()).isEmpty();
  }

  @Test
  void an_entry_says_when_the_tree_came_what_it_is_and_what_led_to_it() {
    history.add(change(5, star(2)), NOON);
    assertThat(page().toString())
        .isEqualTo(
            """
            [{"at":"2026-01-02T12:00:00.123Z","version":5,"versionBefore":4,"root":"h0","edges":2,\
            "weightMillis":3.0,"durationMillis":61.234,"messagesSent":7,"causes":["lighter-link"],\
            "removed":[],"removedMore":0,"added":[{"a":"h0","b":"h1","weightMillis":1.5},\
            {"a":"h0","b":"h2","weightMillis":1.5}],"addedMore":0}]""");
  }

  @Test
  void a_large_change_names_some_edges_and_counts_the_others() {
    history.add(change(1, star(100)), NOON);
    assertThat(page().get(0).get("added")).hasSize(TreeChange.MAX_NAMED);
    assertThat(page().get(0).get("addedMore").asInt()).isEqualTo(100 - TreeChange.MAX_NAMED);
  }

  @Test
  void the_oldest_trees_are_forgotten() {
    int trees = TreeHistory.MAX_TREES + 10;
    for (int version = 1; version <= trees; version++) {
      history.add(change(version, star(1)), NOON);
    }
    assertThat(page()).hasSize(TreeHistory.MAX_TREES);
    assertThat(page().get(0).get("version").asInt()).isEqualTo(trees);
    assertThat(page().get(TreeHistory.MAX_TREES - 1).get("version").asInt()).isEqualTo(11);
  }

  private @Nullable JsonNode past(long version) {
    String json = history.json(version);
    return json == null ? null : JsonMapper.shared().readTree(json);
  }

  @Test
  void trees_are_kept_whole_as_far_as_there_is_room_and_the_latest_always() {
    int edges = TreeHistory.MAX_EDGES / 3;
    for (int version = 1; version <= 5; version++) {
      history.add(change(version, star(edges)), NOON);
    }
    assertThat(page()).hasSize(5);
    assertThat(past(2)).isNull();
    for (int version = 3; version <= 5; version++) {
      assertThat(past(version)).as("version %s", version).isNotNull();
    }
    history.add(change(6, star(TreeHistory.MAX_EDGES + 1)), NOON);
    assertThat(past(5)).isNull();
    JsonNode latest = past(6);
    assertThat(latest).isNotNull();
    assertThat(latest.get("tree")).hasSize(TreeHistory.MAX_EDGES + 1);
    assertThat(latest.get("root").asString()).isEqualTo("h0");
  }
}
