package io.treecast.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random networks with jobs and faults. {@code -Dtreecast.seed=17} repeats one of them. */
@Tag("seeded")
class JobSweepTest {
  private static final long DEFAULT_SEEDS = 100;

  @Test
  void each_job_of_a_living_owner_ends_once_with_the_right_result_and_all_come_to_rest() {
    JobRun run = new JobRun();
    Long only = Long.getLong("treecast.seed");
    long times = Long.getLong("treecast.seeds.times", 1);
    LongStream seeds =
        only != null
            ? LongStream.of(only)
            : LongStream.range(0, Long.getLong("treecast.seeds", DEFAULT_SEEDS * times));

    assertThat(seeds.mapToObj(run).filter(text -> !text.isEmpty())).isEmpty();
    if (only == null) {
      assertThat(run.coverage)
          .containsKeys(
              "crash", "restart", "quick restart", "partition", "flap", "searched", "summed")
          .containsKeys("rerun", "duplicates", "stolen in site", "stolen between sites")
          .allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
    }
  }
}
