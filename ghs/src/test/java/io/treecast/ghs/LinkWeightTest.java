package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LinkWeightTest {
  private static final NodeId A = NodeId.of("a");
  private static final NodeId B = NodeId.of("b");

  @Test
  void both_ends_give_a_link_the_same_name() {
    assertThat(LinkWeight.between(A, B, 7)).isEqualTo(LinkWeight.between(B, A, 7));
  }

  @Test
  void the_round_trip_time_decides_first() {
    assertThat(link("y", "z", 1)).isLessThan(link("a", "b", 2));
  }

  @Test
  void equal_times_are_decided_by_the_lower_end_then_the_higher_end() {
    assertThat(link("h2", "h99", 5)).isLessThan(link("h10", "h11", 5));
    assertThat(link("h2", "h9", 5)).isLessThan(link("h2", "h10", 5));
    assertThat(link("h2", "h9", 5)).isEqualByComparingTo(link("h9", "h2", 5));
  }

  @Test
  void a_weight_knows_its_ends() {
    LinkWeight ab = LinkWeight.between(A, B, 7);

    assertThat(ab.opposite(A)).isEqualTo(B);
    assertThat(ab.opposite(B)).isEqualTo(A);
    assertThat(ab.touches(A)).isTrue();
    assertThat(ab.touches(NodeId.of("c"))).isFalse();
    assertThatThrownBy(() -> ab.opposite(NodeId.of("c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("c\\b.*a-b@7");
  }

  @Test
  void a_cost_below_one_is_refused() {
    assertThatThrownBy(() -> LinkWeight.between(A, B, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cost is 0");
  }

  @Test
  void a_link_to_itself_or_with_swapped_ends_is_refused() {
    assertThatThrownBy(() -> LinkWeight.between(A, A, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LinkWeight(1, B, A))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(".*\\bb\\b.*\\ba\\b.*");
  }

  private static LinkWeight link(String one, String other, long rttMicros) {
    return LinkWeight.between(NodeId.of(one), NodeId.of(other), rttMicros);
  }
}
