package io.treecast.cli.tree;

import static io.treecast.cli.tree.Trees.edge;
import static io.treecast.cli.tree.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.cli.query.MetricText;
import io.treecast.cli.tree.TreeDrawing.Style;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.mst.CommittedTree;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TreeDrawingTest {
  private static final Style PLAIN = new Style(Sites.ofSize(0), true, 200);
  private static final Style SITES_OF_FOUR = new Style(Sites.ofSize(4), true, 200);

  @Test
  void draws_the_reference_tree_by_site() {
    assertThat(TreeDrawing.draw(Trees.reference(), SITES_OF_FOUR))
        .isEqualTo(
            """
            12  site 3
            ├─ 13, 14, 15            0.2 ms
            ╞═ 0                    14.9 ms  site 0
            │  └─ 1, 2, 3            0.2 ms
            ╞═ 20                   35.1 ms  site 5
            │  └─ 21, 22, 23         0.2 ms
            ╘═ 16                  331.0 ms  site 4
               ├─ 17, 18, 19         0.2 ms
               ╘═ 4                 13.5 ms  site 1
                  ├─ 5, 6, 7         0.2 ms
                  ╘═ 8             364.1 ms  site 2
                     └─ 9, 10, 11    0.2 ms
            """);
  }

  @Test
  void links_of_a_gigabit_a_second_and_more_are_not_told_apart() {
    int ofAQuarter = BandwidthWeight.step(BandwidthWeight.UNKNOWN, 250_000);
    List<LinkWeight> edges =
        List.of(
            edge(1, 2, BandwidthWeight.of(BandwidthWeight.MAX_STEP, 200)),
            edge(1, 3, BandwidthWeight.of(ofAQuarter, 200)));
    assertThat(TreeDrawing.draw(tree(1, edges), PLAIN.withWeights(MetricText.BANDWIDTH)))
        .isEqualTo(
            """
            1
            ├─ 2  >= 1000.0 Mbit/s
            └─ 3      267.3 Mbit/s
            """);
    assertThat(MetricText.BANDWIDTH.summary(edges.subList(0, 1)))
        .isEqualTo("slowest edge >= 1000.0 Mbit/s");
  }

  @Test
  void draws_in_ascii_where_the_terminal_shows_nothing_else() {
    assertThat(
            TreeDrawing.draw(
                Trees.reference(), Style.of(Sites.ofSize(4), StandardCharsets.US_ASCII)))
        .isEqualTo(
            """
            12  site 3
            |- 13, 14, 15            0.2 ms
            |= 0                    14.9 ms  site 0
            |  `- 1, 2, 3            0.2 ms
            |= 20                   35.1 ms  site 5
            |  `- 21, 22, 23         0.2 ms
            `= 16                  331.0 ms  site 4
               |- 17, 18, 19         0.2 ms
               `= 4                 13.5 ms  site 1
                  |- 5, 6, 7         0.2 ms
                  `= 8             364.1 ms  site 2
                     `- 9, 10, 11    0.2 ms
            """);
  }

  @Test
  void without_sites_each_node_has_a_line_lightest_edge_first_then_lowest_node() {
    assertThat(
            TreeDrawing.draw(
                tree(
                    5,
                    List.of(
                        edge(5, 10, 7_000),
                        edge(5, 9, 7_000),
                        edge(5, 2, 7_000),
                        edge(1, 5, 90_000),
                        edge(3, 5, 42),
                        edge(3, 4, 1_234_500))),
                PLAIN))
        .isEqualTo(
            """
            5
            ├─ 3        0.042 ms
            │  └─ 4  1234.5   ms
            ├─ 2        7.0   ms
            ├─ 9        7.0   ms
            ├─ 10       7.0   ms
            └─ 1       90.0   ms
            """);
  }

  @Test
  void sites_that_have_names_are_named_where_they_begin() {
    Map<NodeId, String> names =
        Map.of(NodeId.of("a"), "east", NodeId.of("b"), "east", NodeId.of("d"), "west");
    CommittedTree tree =
        tree("a", List.of(edge("a", "b", 1_000), edge("a", "c", 2_000), edge("c", "d", 3_000)));
    assertThat(TreeDrawing.draw(tree, new Style(Sites.named(names), true, 200)))
        .isEqualTo(
            """
            a  site east
            ├─ b     1.0 ms
            └─ c     2.0 ms  no site
               └─ d  3.0 ms  site west
            """);
    assertThat(
            TreeDrawing.draw(
                tree("a", List.of(edge("a", "b", 1_000), edge("a", "d", 2_000))),
                new Style(Sites.named(names), true, 200)))
        .isEqualTo(
            """
            a  site east
            ├─ b  1.0 ms
            ╘═ d  2.0 ms  site west
            """);
  }

  @Test
  void a_lone_node_is_a_line() {
    assertThat(TreeDrawing.draw(tree("h1", List.of()), SITES_OF_FOUR)).isEqualTo("h1\n");
  }

  @Test
  void leaves_of_a_site_share_a_line_with_the_range_of_their_weights() {
    List<LinkWeight> edges = new ArrayList<>();
    for (int leaf : new int[] {1, 2, 3, 4, 5, 7, 9, 11, 12, 13, 14, 16, 18, 20, 22}) {
      edges.add(edge(0, leaf, 100L * leaf));
    }
    edges.add(edge(0, 32, 50_000));
    edges.add(edge(0, 33, 49_000));
    edges.add(edge(0, 30, 700));
    edges.add(edge(30, 31, 300));
    assertThat(TreeDrawing.draw(tree(0, edges), new Style(Sites.ofSize(32), true, 200)))
        .isEqualTo(
            """
            0  site 0
            ├─ 1..5, 7, 9, 11..14, 16, 18, 20, 22    0.1–2.2 ms
            ├─ 30                                        0.7 ms
            │  └─ 31                                     0.3 ms
            ╘═ 32, 33                              49.0–50.0 ms  site 1
            """);
  }

  @Test
  void a_long_list_of_leaves_is_cut_and_counted() {
    List<LinkWeight> edges = new ArrayList<>();
    for (int leaf = 2; leaf < 40; leaf += 2) {
      edges.add(edge(0, leaf, 200));
    }
    assertThat(TreeDrawing.draw(tree(0, edges), new Style(Sites.ofSize(100), true, 200)))
        .isEqualTo(
            """
            0  site 0
            └─ 2, 4, 6, 8, 10, 12, 14, 16, … (19 nodes)  0.2 ms
            """);
  }

  @Test
  void only_ids_that_are_numbers_have_a_site() {
    assertThat(
            TreeDrawing.draw(
                tree("h1", List.of(edge("h1", "h2", 200), edge("h1", "h3", 200), edge("h1", 7, 1))),
                SITES_OF_FOUR))
        .isEqualTo(
            """
            h1
            ├─ 7   0.001 ms  site 1
            ├─ h2  0.2   ms
            └─ h3  0.2   ms
            """);
  }

  @Test
  void names_without_room_are_counted() {
    assertThat(TreeDrawing.draw(Trees.reference(), new Style(Sites.ofSize(4), true, 8)))
        .isEqualTo(
            """
            12  site 3
            ├─ 13, 14, 15       0.2 ms
            ╞═ 0               14.9 ms  site 0
            │  └─ 1, 2, 3       0.2 ms
            ╞═ 20              35.1 ms  site 5
            │  └─ 21, 22, 23    0.2 ms
            ╘═ 16             331.0 ms  site 4
               └─ … 11 more nodes
            """);
    assertThat(TreeDrawing.draw(Trees.reference(), new Style(Sites.ofSize(4), false, 2)))
        .isEqualTo(
            """
            12  site 3
            `- ... 23 more nodes
            """);
  }

  @Test
  void a_path_is_drawn_to_the_deepest_level_and_then_counted() {
    String drawing = TreeDrawing.draw(Trees.random(1_000, 1, 1), PLAIN);
    assertThat(drawing.lines()).hasSize(TreeDrawing.MAX_DEPTH + 2);
    assertThat(drawing).endsWith("└─ … 979 more nodes\n");
  }

  @Test
  void a_thousand_nodes_fit_the_lines_and_no_line_ends_in_space() {
    for (long seed = 0; seed < 20; seed++) {
      String drawing = TreeDrawing.draw(Trees.random(1_000, 50, seed), PLAIN);
      assertThat(drawing.lines()).as("seed %d", seed).hasSizeBetween(150, 200);
      assertThat(drawing).as("seed %d", seed).doesNotContain(" \n").endsWith("\n");
    }
  }

  @Test
  void a_terminal_shows_unicode_if_its_character_set_has_the_characters() {
    assertThat(TreeDrawing.showsUnicode(StandardCharsets.UTF_8)).isTrue();
    assertThat(TreeDrawing.showsUnicode(StandardCharsets.US_ASCII)).isFalse();
    assertThat(TreeDrawing.showsUnicode(StandardCharsets.ISO_8859_1)).isFalse();
  }

  @Test
  void refuses_a_negative_site_size_and_too_few_lines() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> TreeDrawing.draw(Trees.reference(), new Style(Sites.ofSize(-1), true, 200)))
        .withMessageContaining("site size -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Style(Sites.ofSize(4), true, 1))
        .withMessageContaining("maxLines is 1");
  }
}
