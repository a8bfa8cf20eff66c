package io.treecast.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.agent.Finding.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FindingTest {
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
  private static final long MIB = 1L << 20;

  @Test
  void few_files_are_a_warning_and_too_few_a_failure() {
    assertThat(Finding.files(65_536).verdict()).isEqualTo(Verdict.OK);
    assertThat(Finding.files(1_024).verdict()).isEqualTo(Verdict.WARN);
    assertThat(Finding.files(100).verdict()).isEqualTo(Verdict.FAIL);
    assertThat(Finding.threads(1_000).verdict()).isEqualTo(Verdict.OK);
    assertThat(Finding.threads(100).verdict()).isEqualTo(Verdict.WARN);
    assertThat(Finding.threads(32).verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void memory_has_room_beside_the_heap() {
    assertThat(Finding.memory(712 * MIB, 512 * MIB).verdict()).isEqualTo(Verdict.OK);
    assertThat(Finding.memory(711 * MIB, 512 * MIB).verdict()).isEqualTo(Verdict.WARN);
  }

  @Test
  void a_certificate_is_renewed_before_it_expires() {
    assertThat(Finding.certificate(NOW.plus(Duration.ofDays(15)), NOW).verdict())
        .isEqualTo(Verdict.OK);
    assertThat(Finding.certificate(NOW.plus(Duration.ofDays(13)), NOW).verdict())
        .isEqualTo(Verdict.WARN);
    assertThat(Finding.certificate(NOW.minusSeconds(1), NOW).verdict()).isEqualTo(Verdict.FAIL);
  }

  @Test
  void a_clock_that_is_off_by_more_than_a_minute_is_a_warning() {
    assertThat(Finding.clock("h1", 59_000).verdict()).isEqualTo(Verdict.OK);
    assertThat(Finding.clock("h1", -61_000).verdict()).isEqualTo(Verdict.WARN);
    assertThat(Finding.clock("h1", -61_000).text()).contains("behind");
    assertThat(Finding.clock("h1", 61_000).text()).contains("ahead of");
  }
}
