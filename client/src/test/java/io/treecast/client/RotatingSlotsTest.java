package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Two places, and turns of ten nanoseconds. */
class RotatingSlotsTest {
  private final RotatingSlots<String> turns = new RotatingSlots<>(2, 10);

  private void join(String... who) {
    for (String one : who) {
      turns.join(one);
    }
  }

  @Test
  void the_first_element_keeps_its_place_while_no_other_waits() {
    join("a", "b");

    assertThat(turns.passOn(0)).containsExactly("a", "b");
    assertThat(turns.isAnyWaiting()).isFalse();
    assertThat(turns.passOn(1_000)).isEmpty();
    assertThat(turns.hasPlace("a")).isTrue();
  }

  @Test
  void an_element_that_leaves_makes_room_for_the_next() {
    join("a", "b", "c", "d", "e");
    turns.passOn(0);

    turns.leave("d");
    turns.leave("a");
    turns.leave("b");

    assertThat(turns.passOn(1)).containsExactly("c", "e");
    assertThat(turns.all()).containsExactly("c", "e");
  }

  @Test
  void a_place_is_kept_for_a_turn_and_then_passed_on() {
    join("a");
    turns.passOn(0);
    join("b");
    turns.passOn(5);
    join("c", "d");

    assertThat(turns.passOn(9)).isEmpty();
    assertThat(turns.isAnyWaiting()).isTrue();
    assertThat(turns.passOn(10)).as("b has come later").containsExactly("a", "c");
    assertThat(turns.hasPlace("a")).isFalse();
    assertThat(turns.passOn(15)).containsExactly("b", "d");
    assertThat(turns.passOn(20)).as("again, behind d").containsExactly("c", "a");
  }

  @Test
  void an_element_in_a_hurry_gets_a_place_in_the_middle_of_a_turn() {
    join("a", "b", "c", "d");
    turns.passOn(0);

    turns.prioritize("d");

    assertThat(turns.passOn(1)).containsExactly("a", "d");
    assertThat(turns.passOn(11)).as("d keeps its place").containsExactly("b", "c");
  }

  @Test
  void an_element_in_a_hurry_waits_for_earlier_ones_in_a_hurry() {
    join("a", "b", "c");
    turns.passOn(0);
    turns.prioritize("a");
    turns.prioritize("b");
    turns.prioritize("c");
    assertThat(turns.passOn(1_000)).isEmpty();

    turns.leave("b");

    assertThat(turns.passOn(1_001)).containsExactly("c");
  }

  @Test
  void hurry_does_not_bring_back_an_element_that_has_left() {
    join("a");
    turns.leave("a");
    turns.prioritize("a");

    assertThat(turns.passOn(0)).isEmpty();
    assertThat(turns.all()).isEmpty();
  }
}
