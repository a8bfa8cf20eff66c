package io.treecast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.TreeEdge;
import io.treecast.client.TreeView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeSitesTest {
  private static Map<String, String> sites(TreeEdge... edges) {
    return TreeSites.of(new TreeView("a", true, "", 1, "a", List.of(edges), null));
  }

  @Test
  void members_that_short_edges_join_are_a_site_and_its_first_member_names_it() {
    assertThat(
            sites(
                new TreeEdge("a", "b", 500),
                new TreeEdge("c", "d", 700),
                new TreeEdge("b", "c", 40_000)))
        .isEqualTo(Map.of("a", "a", "b", "a", "c", "c", "d", "c"));
  }

  @Test
  void the_widest_step_between_weights_is_the_one_that_counts() {
    assertThat(
            sites(
                new TreeEdge("a", "b", 500),
                new TreeEdge("b", "c", 14_000),
                new TreeEdge("c", "d", 70_000)))
        .isEqualTo(Map.of("a", "a", "b", "a", "c", "c", "d", "d"));
  }

  @Test
  void equal_links_are_one_site_also_where_new_edges_contain_the_cost_of_a_change() {
    assertThat(sites(new TreeEdge("a", "b", 10_000), new TreeEdge("b", "c", 30_000)))
        .isEqualTo(Map.of("a", "a", "b", "a", "c", "a"));
  }

  @Test
  void links_shorter_than_a_quarter_of_a_millisecond_are_equal() {
    assertThat(sites(new TreeEdge("a", "b", 20), new TreeEdge("b", "c", 900)))
        .isEqualTo(Map.of("a", "a", "b", "a", "c", "a"));
  }

  @Test
  void a_member_alone_is_a_site() {
    assertThat(sites()).isEqualTo(Map.of("a", "a"));
  }
}
