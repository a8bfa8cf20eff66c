package io.treecast.cli.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.client.MissedMessages;
import io.treecast.client.MissedReason;
import org.junit.jupiter.api.Test;

class MissedTextTest {

  private static String line(long first, long last, MissedReason reason) {
    return FollowedMessages.line(new MissedMessages("h1", 7, "", 0, first, last, reason));
  }

  @Test
  void one_message_is_not_a_range() {
    assertThat(line(4, 4, MissedReason.NOT_RETAINED)).startsWith("missed h1/0000000000000007 #4: ");
    assertThat(line(4, 4, MissedReason.SKIPPED))
        .startsWith("missed h1/0000000000000007 #4: ")
        .isNotEqualTo(line(4, 4, MissedReason.NOT_RETAINED));
    assertThat(line(4, 4, MissedReason.TOO_LARGE))
        .startsWith("missed h1/0000000000000007 #4: ")
        .isNotEqualTo(line(4, 4, MissedReason.NOT_RETAINED));
  }

  @Test
  void several_messages_are_a_range() {
    assertThat(line(4, 6, MissedReason.NOT_RETAINED))
        .startsWith("missed h1/0000000000000007 #4 to #6: ");
  }
}
