package io.treecast.collectives.broadcast.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TopicTest {
  @Test
  void any_text_is_a_name() {
    assertThat(Topic.checked("prices/eu, Köln 東京 🎺")).isEqualTo("prices/eu, Köln 東京 🎺");
    assertThat(Topic.checked("x".repeat(200))).hasSize(200);
    assertThat(Topic.checked("")).isEqualTo(Topic.DEFAULT);
  }

  @Test
  void a_name_that_is_too_long_is_refused_with_its_length_in_bytes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topic.checked("é".repeat(101)))
        .withMessage("topic name of 202 bytes; allowed are 1 to 200 bytes of UTF-8");
  }

  @Test
  void control_characters_and_halves_of_characters_are_refused() {
    for (String name : new String[] {"a\nb", "\u0000", "\u0085", "\ud83c", "\udfba\ud83c"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Topic.checked(name))
          .withMessageContaining("neither is allowed");
    }
  }
}
