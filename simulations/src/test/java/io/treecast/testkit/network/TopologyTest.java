package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.testkit.network.Topology.Link;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {
  private final Topology network =
      Topology.of(
          6, List.of(new Link(2, 3, 30), new Link(0, 3, 10), new Link(0, 1, 5), new Link(4, 5, 7)));

  @Test
  void orders_its_links_and_neighbours() {
    assertThat(network.links())
        .containsExactly(
            new Link(0, 1, 5), new Link(0, 3, 10), new Link(2, 3, 30), new Link(4, 5, 7));
    assertThat(network.neighbours(3)).containsExactly(0, 2);
    assertThat(network.neighbours(0)).containsExactly(1, 3);
    assertThat(network.degree(2)).isEqualTo(1);
  }

  @Test
  void a_link_takes_equally_long_both_ways() {
    assertThat(network.rttMicros(0, 3)).isEqualTo(10);
    assertThat(network.rttMicros(3, 0)).isEqualTo(10);
    assertThat(network.linked(3, 2)).isTrue();
  }

  @Test
  void knows_where_there_is_no_link() {
    assertThat(network.linked(0, 2)).isFalse();
    assertThat(network.linked(1, 1)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.rttMicros(0, 2))
        .withMessageContaining("nodes 0 and 2");
  }

  @Test
  void a_component_contains_all_reachable_nodes() {
    assertThat(network.component(2)).containsExactly(0, 1, 2, 3);
    assertThat(network.component(5)).containsExactly(4, 5);
  }

  @Test
  void the_first_nodes_keep_the_links_between_them() {
    assertThat(network.firstNodes(3).nodes()).isEqualTo(3);
    assertThat(network.firstNodes(3).links()).containsExactly(new Link(0, 1, 5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.firstNodes(7))
        .withMessage("the first 7 nodes of a network of 6; allowed is 1 to 6");
    assertThatIllegalArgumentException().isThrownBy(() -> network.firstNodes(0));
  }

  @Test
  void refuses_links_that_cannot_be() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Link(2, 2, 5))
        .withMessageContaining("2-2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Link(1, 2, 0))
        .withMessage("link 1-2 takes 0 us; allowed is 1 to 3600000000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.of(2, List.of(new Link(1, 2, 5))))
        .withMessage("link 1-2 in a network of 2 nodes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.of(3, List.of(new Link(1, 2, 5), Link.between(2, 1, 6))))
        .withMessageContaining("nodes 1 and 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.of(0, List.of()))
        .withMessage("a network of 0 nodes; allowed is 1 to 20000");
  }
}
