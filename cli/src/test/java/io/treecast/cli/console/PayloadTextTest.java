package io.treecast.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PayloadTextTest {

  @Test
  void text_is_text() {
    assertThat(PayloadText.of("grün, 木, 🌲".getBytes(UTF_8))).isEqualTo("grün, 木, 🌲");
    assertThat(PayloadText.of(new byte[0])).isEmpty();
  }

  @Test
  void it_stays_on_one_line() {
    assertThat(PayloadText.of("a\nb\r\tc".getBytes(UTF_8))).isEqualTo("a\\nb\\r\\tc");
  }

  @Test
  void control_characters_are_not_text() {
    assertThat(PayloadText.of("\u001b[2J".getBytes(UTF_8))).isNull();
    assertThat(PayloadText.of("\u009b2J".getBytes(UTF_8))).isNull();
    assertThat(PayloadText.of("a\0".getBytes(UTF_8))).isNull();
  }

  @Test
  void bytes_that_are_not_utf_8_are_not_text() {
    assertThat(PayloadText.of(new byte[] {(byte) 0xc3})).isNull();
  }

  @Test
  void a_long_text_is_cut_between_characters() {
    String longest = "🌲".repeat(PayloadText.MAX_CHARACTERS);
    assertThat(PayloadText.of(longest.getBytes(UTF_8))).isEqualTo(longest);
    assertThat(PayloadText.of((longest + "x").getBytes(UTF_8))).isEqualTo(longest + "...");
  }

  @Test
  void a_control_character_beyond_the_cut_counts_too() {
    String text = "x".repeat(PayloadText.MAX_CHARACTERS) + "\u0007";
    assertThat(PayloadText.of(text.getBytes(UTF_8))).isNull();
  }
}
