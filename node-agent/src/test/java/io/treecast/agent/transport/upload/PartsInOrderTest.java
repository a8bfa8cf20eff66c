package io.treecast.agent.transport.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.BulkReady;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.transport.frame.BatchSize;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartsInOrderTest {
  /** The size of each message here. */
  private static final long BYTES = BatchSize.MOST_BYTES;

  private static final List<DataMessage> FIRST = List.of(new Leave());
  private static final List<DataMessage> SECOND = List.of(new BulkReady());

  private final PartsInOrder parts = new PartsInOrder(2 * BYTES);

  @Test
  void a_part_waits_for_those_of_lower_numbers() {
    assertThat(parts.add(2, SECOND)).isNull();
    assertThat(parts.poll()).isNull();
    assertThat(parts.add(1, FIRST)).isNull();
    assertThat(parts.poll()).isEqualTo(FIRST);
    assertThat(parts.poll()).isEqualTo(SECOND);
    assertThat(parts.poll()).isNull();
  }

  @Test
  void a_part_comes_once() {
    assertThat(parts.add(2, SECOND)).isNull();
    assertThat(parts.add(2, SECOND)).isNotNull();
    assertThat(parts.add(1, FIRST)).isNull();
    assertThat(parts.poll()).isNotNull();
    assertThat(parts.add(1, FIRST)).isNotNull();
    assertThat(parts.add(0, FIRST)).isNotNull();
  }

  @Test
  void no_more_waits_than_may_and_what_is_next_does_not_wait() {
    assertThat(parts.add(2, FIRST)).isNull();
    assertThat(parts.add(3, FIRST)).isNull();
    assertThat(parts.add(4, FIRST)).isNotNull();
    assertThat(parts.add(1, FIRST)).isNull();
    for (int i = 1; i <= 3; i++) {
      assertThat(parts.poll()).isNotNull();
    }
    assertThat(parts.add(5, FIRST)).as("room again").isNull();
  }
}
