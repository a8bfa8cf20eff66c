package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionsTest {
  private static final MessageId FOURTH = new MessageId("h1", 0x9f3a6c01d2e4b587L, 4);
  private static final MessageId OTHER = new MessageId("h2", -1, 17);

  @Test
  void positions_are_read_as_they_are_written() {
    Positions positions = Positions.of(List.of(OTHER, FOURTH));

    assertThat(positions)
        .hasToString("h1/9f3a6c01d2e4b587/4,h2/ffffffffffffffff/17")
        .isEqualTo(Positions.parse(positions.toString()));
    assertThat(Positions.of(List.of()))
        .hasToString("none")
        .isEqualTo(Positions.parse(" none "))
        .isNotEqualTo(positions);
    assertThat(Positions.parse("h1/9f3a6c01d2e4b587/4").messages()).containsExactly(FOURTH);
  }

  @Test
  void a_later_message_replaces_an_earlier_one_of_its_stream() {
    Positions positions = Positions.of(List.of(FOURTH)).with(OTHER);

    Positions later = positions.with(new MessageId("h1", FOURTH.incarnation(), 5));

    assertThat(later).hasToString("h1/9f3a6c01d2e4b587/5,h2/ffffffffffffffff/17");
    assertThat(positions.messages()).as("unchanged").contains(FOURTH);
  }

  @Test
  void missed_messages_count_as_finished() {
    MissedMessages missed =
        new MissedMessages("h1", FOURTH.incarnation(), "", 0, 5, 9, MissedReason.SKIPPED);

    assertThat(Positions.of(List.of(FOURTH)).with(missed).messages())
        .containsExactly(new MessageId("h1", FOURTH.incarnation(), 9));
  }

  @Test
  void each_topic_of_an_origin_is_a_stream() {
    MessageId ofTopic = new MessageId("h1", FOURTH.incarnation(), "a/7,b c", 66_307, 2);
    Positions positions = Positions.of(List.of(FOURTH, ofTopic, OTHER));

    assertThat(positions)
        .hasToString(
            "h1/9f3a6c01d2e4b587/4,h1/9f3a6c01d2e4b587~66307/a/7,,b c/2,h2/ffffffffffffffff/17")
        .isEqualTo(Positions.parse(positions.toString()));
    assertThat(positions.messages()).containsExactly(FOURTH, ofTopic, OTHER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x,h1/0000000000000001/4",
        "x/3,h1/0000000000000001/4",
        ",",
        ",,x,",
        "v1",
        "9",
        " x ",
        "a\u2028b\u2029",
      })
  void any_topic_is_read_as_it_is_written(String topic) {
    Positions positions =
        Positions.of(
            List.of(new MessageId("h1", 1, topic, 0, 1), new MessageId("h1", 1, "", 2, 1)));

    assertThat(Positions.parse(positions.toString())).isEqualTo(positions);
    assertThat(positions.messages())
        .allSatisfy(id -> assertThat(MessageId.parse(id.toString())).isEqualTo(id));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | ''",
        "h1 | 'h1'",
        "h1/9f3a6c01d2e4b587/4, | ''",
        "h1/9f3a6c01d2e4b587/4,none | 'none'",
        "v3,h1/9f3a6c01d2e4b587/4 | 'v3'",
        "h1/9f3a6c01d2e4b587/9999999999999999999 | 'h1/9f3a6c01d2e4b587/9999999999999999999'",
      })
  void malformed_text_is_refused_with_its_part_and_the_form(String text, String part) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Positions.parse(text))
        .withMessageContainingAll(part, "ORIGIN/INCARNATION[~LANE]/[TOPIC/]SEQUENCE");
  }

  @Test
  void two_positions_in_one_stream_are_refused_with_its_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Positions.parse("h1/9f3a6c01d2e4b587/4,h1/9F3A6C01D2E4B587/5"))
        .withMessageMatching(".*\\bh1/9f3a6c01d2e4b587(?!/).*");
  }
}
