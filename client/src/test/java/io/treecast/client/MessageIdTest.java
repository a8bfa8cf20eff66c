package io.treecast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MessageIdTest {
  private static final long INCARNATION = 0x9f3a6c01d2e4b587L;

  private static String fileName(String origin, String topic, int lane, long sequence) {
    return new MessageId(origin, INCARNATION, topic, lane, sequence).fileName();
  }

  @Test
  void a_file_name_has_the_parts_of_the_messages_name() {
    assertThat(fileName("12", "", 0, 4)).isEqualTo("12,9f3a6c01d2e4b587,4");
    assertThat(fileName("12", "", 2, 4)).isEqualTo("12,9f3a6c01d2e4b587~2,4");
    assertThat(fileName("12", "prices", 2, 4)).isEqualTo("12,9f3a6c01d2e4b587~2,prices,4");
  }

  @Test
  void each_message_has_another_file_name() {
    assertThat(
            List.of(
                fileName("h", "a/b", 0, 1),
                fileName("h", "a-b", 0, 1),
                fileName("h", "a_b", 0, 1),
                fileName("h", "a,b", 0, 1),
                fileName("h", "a b", 0, 1),
                fileName("h", "a+b", 0, 1),
                fileName("h", "\u4ef7\u683c", 0, 1),
                fileName("h", "\u65b0\u95fb", 0, 1),
                fileName("h", "", 0, 1),
                fileName("h", "", 1, 1),
                fileName("..", "..", 0, 1)))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[A-Za-z0-9%+_,~-][A-Za-z0-9%+_.,~-]*"));
  }

  @Test
  void a_long_file_name_is_cut_and_still_another() {
    String topic = "\u4ef7".repeat(66);
    assertThat(List.of(fileName("h", topic, 0, 1), fileName("h", topic + "a", 0, 1)))
        .doesNotHaveDuplicates()
        .allSatisfy(name -> assertThat(name).hasSize(200).endsWith(",1"));
  }
}
