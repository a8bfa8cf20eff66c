package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.treecast.testkit.network.Topology.Link;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NetworkConditionsTest {
  /** A triangle 0, 1, 2 and a node 3 with a link to 2. */
  private final NetworkConditions network =
      new NetworkConditions(
          Topology.of(
              4,
              List.of(
                  Link.between(0, 1, 10),
                  Link.between(0, 2, 20),
                  Link.between(1, 2, 30),
                  Link.between(2, 3, 40))));

  @Test
  void begins_as_the_topology() {
    assertThat(network.nodes()).containsExactly(0, 1, 2, 3);
    assertThat(network.neighbours(2)).containsExactly(0, 1, 3);
    assertThat(network.rttMicros(3, 2)).isEqualTo(40);
    assertThat(network.workingLinks(Set.of(0, 1, 2, 3))).hasSize(4);
    assertThat(network.longestRttMicros()).isEqualTo(40);
  }

  @Test
  void a_link_cut_one_way_does_not_work() {
    network.oneWay(0, 1);
    assertThat(network.passes(0, 1)).isFalse();
    assertThat(network.passes(1, 0)).isTrue();
    assertThat(network.works(1, 0)).isFalse();
    network.heal(1, 0);
    assertThat(network.works(0, 1)).isTrue();
  }

  @Test
  void a_partition_cuts_between_groups_and_leaves_others_alone() {
    network.partition(List.of(NodeGroup.of(0), NodeGroup.of(1, 3)));
    assertThat(network.works(0, 1)).isFalse();
    assertThat(network.works(0, 2)).isTrue();
    assertThat(network.works(1, 2)).isTrue();
    assertThat(network.works(2, 3)).isTrue();
    network.partition(List.of(NodeGroup.of(0, 1), NodeGroup.of(2, 3)));
    assertThat(network.components(Set.of(0, 1, 2, 3)))
        .containsExactly(Set.of(0), Set.of(1), Set.of(2, 3));
  }

  @Test
  void heal_ends_cuts_and_loss_but_keeps_round_trips() {
    network.cut(0, 1);
    network.loss(0, 2, 0.5);
    network.rtt(1, 2, 77);
    network.heal();
    assertThat(network.works(0, 1)).isTrue();
    assertThat(network.loss(0, 2)).isZero();
    assertThat(network.rttMicros(1, 2)).isEqualTo(77);
  }

  @Test
  void a_node_that_joins_is_as_far_from_all_as_the_one_beside_it() {
    network.rtt(0, 2, 500);
    network.join(9, 2);
    assertThat(network.nodes()).containsExactly(0, 1, 2, 3, 9);
    assertThat(network.rttMicros(9, 0)).isEqualTo(500);
    assertThat(network.rttMicros(3, 9)).isEqualTo(40);
    assertThat(network.rttMicros(2, 9)).isEqualTo(NetworkConditions.JOINED_RTT_MICROS);
  }

  @Test
  void components_are_of_the_nodes_that_are_asked_for() {
    assertThat(network.components(Set.of(0, 1, 3))).containsExactly(Set.of(0, 1), Set.of(3));
    assertThat(network.workingLinks(Set.of(0, 1, 3))).containsExactly(Link.between(0, 1, 10));
  }

  @Test
  void an_unknown_node_or_link_is_an_error() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.cut(0, 3))
        .withMessageContaining("nodes 0 and 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.oneWay(4, 0))
        .withMessageContaining("node 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.rtt(0, 4, 1))
        .withMessageContaining("no node 4");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.rtt(0, 1, 0))
        .withMessageContaining("allowed is 1 to 3600000000 us");
    assertThatIllegalArgumentException().isThrownBy(() -> network.loss(0, 1, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> network.loss(0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> network.join(3, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> network.partition(List.of(NodeGroup.range(0, 2), NodeGroup.range(2, 3))))
        .withMessageContaining("node 2");
  }
}
