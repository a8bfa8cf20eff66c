package io.treecast.agent.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a data stream stands still, and how long it has carried anything. */
class DataProgressTest {
  private static final long SECOND = 1_000_000_000L;

  private final DataProgress progress = new DataProgress();

  @Test
  void answers_that_count_nothing_new_while_messages_are_under_way_add_up() {
    progress.opened(0);
    progress.sent();
    assertThat(progress.acknowledged(0, SECOND)).isTrue();
    assertThat(progress.stalledNanos()).as("it may just have been sent").isZero();
    progress.acknowledged(0, 2 * SECOND);
    progress.acknowledged(0, 4 * SECOND);
    assertThat(progress.stalledNanos()).isEqualTo(3 * SECOND);
  }

  @Test
  void any_progress_ends_the_stall() {
    progress.opened(0);
    progress.sent();
    progress.sent();
    progress.acknowledged(0, SECOND);
    progress.acknowledged(0, 4 * SECOND);
    progress.acknowledged(1, 5 * SECOND);
    assertThat(progress.stalledNanos()).isZero();
    progress.acknowledged(1, 7 * SECOND);
    assertThat(progress.stalledNanos()).isEqualTo(2 * SECOND);
  }

  @Test
  void an_idle_stream_does_not_stand_still() {
    progress.opened(0);
    progress.sent();
    for (int second = 1; second < 100; second++) {
      progress.acknowledged(1, second * SECOND);
    }
    assertThat(progress.stalledNanos()).isZero();
  }

  @Test
  void time_in_which_control_says_nothing_hardly_counts() {
    progress.opened(0);
    progress.sent();
    progress.acknowledged(0, SECOND);
    progress.acknowledged(0, 3_600 * SECOND);
    assertThat(progress.stalledNanos()).isEqualTo(DataProgress.MAX_COUNTED_NANOS);
  }

  @Test
  void it_has_carried_something_when_both_directions_have() {
    progress.opened(SECOND);
    progress.sent();
    progress.sent();
    progress.acknowledged(1, 3 * SECOND);
    assertThat(progress.carriedNanos()).as("one way").isZero();
    progress.received();
    progress.acknowledged(2, 10 * SECOND);
    assertThat(progress.carriedNanos()).isEqualTo(9 * SECOND);
  }

  @Test
  void no_count_goes_back_or_beyond_what_was_sent() {
    progress.opened(0);
    progress.sent();
    assertThat(progress.acknowledged(2, SECOND)).isFalse();
    assertThat(progress.acknowledged(1, SECOND)).isTrue();
    assertThat(progress.acknowledged(0, SECOND)).isFalse();
  }
}
