package io.treecast.collectives.broadcast.receipt;

import static io.treecast.collectives.broadcast.Examples.A;
import static io.treecast.collectives.broadcast.Examples.B;
import static io.treecast.collectives.broadcast.Examples.FIRST_START;
import static io.treecast.collectives.broadcast.Examples.SELF;
import static io.treecast.collectives.broadcast.Examples.star;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Receipt;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many of the messages that wait for receipts of others are visited, and when. */
public class ReceiptGatheringTest {
  private static final int MESSAGES = 100;
  private static final int WAIT_MILLIS = 10_000;
  private static final long MILLI = 1_000_000L;

  private boolean isOpen = true;
  private int looks;
  private int told;
  private final ReceiptGathering gathering =
      new ReceiptGathering(
          SELF,
          neighbour -> {
            looks++;
            return isOpen;
          },
          (neighbour, message) -> told++);

  /**
   * Gathers one in each millisecond, delivered here and not by b, which is behind as seen from a.
   */
  private void gather() {
    gathering.treeCommitted(star(A, B));
    for (int i = 1; i <= MESSAGES; i++) {
      gathering.tick(i * MILLI);
      MessageId message = new MessageId(A, FIRST_START, i);
      gathering.add(message, WAIT_MILLIS, List.of(new Receipt(SELF, A, 0, 0)));
    }
    assertThat(told).isZero();
    looks = 0;
  }

  @Test
  void only_messages_whose_time_has_come_are_visited() {
    gather();

    for (int i = 1; i <= MESSAGES; i++) {
      gathering.tick(gathering.nextDeadlineNanos());
      assertThat(told).isEqualTo(i);
    }

    assertThat(looks).isEqualTo(MESSAGES);
    assertThat(gathering.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void messages_without_a_path_are_visited_once_and_again_when_there_is_one() {
    gather();
    isOpen = false;
    long now = 0;
    while (gathering.nextDeadlineNanos() < Long.MAX_VALUE) {
      now = gathering.nextDeadlineNanos();
      gathering.tick(now);
    }
    gathering.tick(now + 1);
    assertThat(looks).isEqualTo(MESSAGES);
    assertThat(told).isZero();

    isOpen = true;
    gathering.opened(A);

    assertThat(told).isEqualTo(MESSAGES);
  }
}
