package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoundsTest {
  @Test
  void names_count_up_from_one_or_after_a_stored_number() {
    Rounds rounds = Rounds.of("checkpoint");
    assertThat(rounds.last()).isZero();
    assertThat(rounds.next()).isEqualTo("checkpoint-1");
    assertThat(rounds.next()).isEqualTo("checkpoint-2");

    assertThat(Rounds.after("checkpoint", rounds.last()).next()).isEqualTo("checkpoint-3");
  }

  @Test
  void names_that_operations_cannot_have_are_refused_before_the_first_round() {
    assertThat(Rounds.of("x".repeat(180)).next()).hasSize(182);
    assertThatThrownBy(() -> Rounds.of("x".repeat(181)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rounds.of("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rounds.after("x", -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
