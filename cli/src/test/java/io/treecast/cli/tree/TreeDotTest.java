package io.treecast.cli.tree;

import static io.treecast.cli.tree.Trees.edge;
import static io.treecast.cli.tree.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.query.MetricText;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreeDotTest {

  @Test
  void sites_are_clusters_and_the_edges_between_them_are_bold() {
    assertThat(
            TreeDot.write(
                tree(1, List.of(edge(1, 4, 331_000), edge(0, 1, 200))),
                Sites.ofSize(4),
                MetricText.LATENCY))
        .isEqualTo(
            """
            graph treecast {
              label="version 1, root 1, weight 331.2 ms";
              "1" [peripheries=2];
              subgraph "cluster_0" {
                label="site 0";
                "0";
                "1";
              }
              subgraph "cluster_1" {
                label="site 1";
                "4";
              }
              "0" -- "1" [label="0.2 ms"];
              "1" -- "4" [label="331.0 ms", style=bold];
            }
            """);
  }

  @Test
  void without_sites_nodes_stand_by_themselves() {
    assertThat(
            TreeDot.write(
                tree("db-1.eu", List.of(edge("db-1.eu", "db-2.us", 42))),
                Sites.NONE,
                MetricText.LATENCY))
        .isEqualTo(
            """
            graph treecast {
              label="version 1, root db-1.eu, weight 0.042 ms";
              "db-1.eu" [peripheries=2];
              "db-1.eu";
              "db-2.us";
              "db-1.eu" -- "db-2.us" [label="0.042 ms"];
            }
            """);
  }
}
