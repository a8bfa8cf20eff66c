package io.treecast.agent.runtime.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice;
import org.junit.jupiter.api.Test;

/** Reports on a subscriber that does not take its messages. */
class SlowReaderTest {
  private static final long SECOND = 1_000_000_000L;

  private final SlowReader reader = new SlowReader("reader-b:1", true);

  @Test
  void a_reader_that_keeps_publishers_waiting_is_reported_once_and_again_when_it_takes() {
    assertThat(reader.nextLookNanos()).isEqualTo(Long.MAX_VALUE);
    reader.waits(10 * SECOND);
    reader.waits(20 * SECOND);
    assertThat(reader.nextLookNanos()).isEqualTo(40 * SECOND);
    assertThat(reader.look(40 * SECOND - 1)).isNull();
    assertThat(reader.look(41 * SECOND))
        .isNotNull()
        .matches(notice -> notice.severity() == Notice.Severity.WARNING)
        .extracting(Notice::text)
        .asString()
        .startsWith("reader-b:1 ")
        .contains("31 s");
    assertThat(reader.nextLookNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(reader.look(99 * SECOND)).isNull();
    assertThat(reader.takes(60 * SECOND))
        .isNotNull()
        .extracting(Notice::text)
        .asString()
        .startsWith("reader-b:1 ")
        .contains("50 s");
    assertThat(reader.takes(61 * SECOND)).isNull();
    reader.waits(70 * SECOND);
    assertThat(reader.nextLookNanos()).isEqualTo(100 * SECOND);
  }

  @Test
  void one_that_takes_now_and_then_is_not_told_of() {
    for (int second = 0; second < 200; second += 20) {
      reader.waits(second * SECOND);
      assertThat(reader.look((second + 19) * SECOND)).isNull();
      assertThat(reader.takes((second + 20) * SECOND)).isNull();
    }
    assertThat(reader.gone(300 * SECOND)).isNull();
  }

  @Test
  void a_reader_that_publishers_do_not_wait_for_is_reported_only_when_it_is_gone() {
    SlowReader gap = new SlowReader("it", false);
    gap.waits(0);
    assertThat(gap.look(99 * SECOND)).isNull();
    assertThat(gap.gone(4 * SECOND)).as("as with Ctrl-C").isNull();
    assertThat(gap.gone(31 * SECOND))
        .isNotNull()
        .matches(notice -> notice.severity() == Notice.Severity.WARNING)
        .extracting(Notice::text)
        .asString()
        .contains("31 s");
  }

  @Test
  void a_reader_that_fell_behind_is_reported_and_keeps_no_publisher_waiting() {
    reader.waits(0);

    assertThat(reader.fellBehind(2 * SlowReader.STALLED_NANOS).severity().needsAttention())
        .isTrue();
    assertThat(reader.nextLookNanos()).isEqualTo(Long.MAX_VALUE);
  }
}
