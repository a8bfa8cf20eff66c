package io.treecast.ghs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeIdTest {
  @Test
  void runs_of_digits_compare_by_value() {
    assertOrder("2", "10", "100");
    assertOrder("h2", "h10", "h10a");
    assertOrder("r1-h9", "r1-h10", "r2-h1");
  }

  @Test
  void other_characters_compare_as_in_ascii() {
    assertOrder("-", ".", "7", "A", "Z", "_", "a", "ab", "b");
  }

  @Test
  void names_that_differ_in_leading_zeros_are_different_nodes() {
    assertOrder("h0", "h00");
    assertOrder("h01", "h1", "h02");
  }

  @Test
  void a_run_of_digits_may_be_longer_than_any_integer() {
    assertOrder("9".repeat(62), "1" + "0".repeat(62), "9".repeat(64));
  }

  @Test
  void the_order_agrees_with_equality() {
    assertThat(NodeId.of("h1")).isEqualByComparingTo(NodeId.of("h1")).isEqualTo(NodeId.of("h1"));
    assertThat(NodeId.of("h1")).hasSameHashCodeAs(NodeId.of("h1"));
    assertThat(NodeId.of("h1")).isNotEqualTo(NodeId.of("h01")).isNotEqualTo("h1");
  }

  @Test
  void the_text_of_a_node_id_is_its_name() {
    assertThat(NodeId.of("Rack_1.host-07")).hasToString("Rack_1.host-07");
  }

  @Test
  void an_empty_or_overlong_name_is_refused() {
    assertThat(NodeId.of("x".repeat(NodeId.MAX_LENGTH))).isNotNull();
    assertThatThrownBy(() -> NodeId.of(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("''", "0 characters", String.valueOf(NodeId.MAX_LENGTH));
    assertThatThrownBy(() -> NodeId.of("x".repeat(NodeId.MAX_LENGTH + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65 characters");
  }

  @Test
  void a_name_with_any_other_character_is_refused() {
    for (String name : List.of("a b", "a/b", "a:b", "é", "a\n")) {
      assertThatThrownBy(() -> NodeId.of(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + name + "'");
    }
    assertThatThrownBy(() -> NodeId.of("ab c")).hasMessageContainingAll("' '", "position 3");
  }

  private static void assertOrder(String... ascending) {
    List<NodeId> ids = Stream.of(ascending).map(NodeId::of).toList();
    for (int i = 0; i < ids.size(); i++) {
      for (int j = 0; j < ids.size(); j++) {
        assertThat(Integer.signum(ids.get(i).compareTo(ids.get(j))))
            .as("%s to %s", ids.get(i), ids.get(j))
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }
}
