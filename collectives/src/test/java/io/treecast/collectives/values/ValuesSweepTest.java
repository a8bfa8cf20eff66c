package io.treecast.collectives.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.SeedSweep;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random members, writes and faults, each a function of its seed. */
@Tag("seeded")
class ValuesSweepTest {
  private static final long DEFAULT_SEEDS = 75;

  /** Seeds that failed once. */
  private static final long[] KEPT = {251, 1096, 1306, 1362, 1375};

  @Test
  void members_become_equal_and_lose_no_write() {
    Map<String, Long> coverage = new TreeMap<>();
    if (SeedSweep.assertPasses(ValuesRun.of(coverage), DEFAULT_SEEDS, KEPT)) {
      assertThat(coverage)
          .containsKeys(
              "partition",
              "new tree",
              "restart",
              "member that does not come back",
              "broken stream",
              "delete",
              "better value",
              "ephemeral entry",
              "end of an entry",
              "full",
              "clock a day ahead");
    }
  }
}
