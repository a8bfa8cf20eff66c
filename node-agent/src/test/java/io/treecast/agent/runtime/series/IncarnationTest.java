package io.treecast.agent.runtime.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncarnationTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00.000007Z");
  private static final long NOW_MICROS = 1_777_636_800_000_007L;

  @TempDir private Path parent;

  /** With the least random part. */
  private static long next(@Nullable Path directory, Instant now) {
    return Incarnation.next(directory, now, forced -> {}, bound -> 0);
  }

  @Test
  void two_starts_at_the_same_time_have_different_numbers() {
    Set<Long> numbers = new HashSet<>();
    for (long random = 0; random < 1_000; random++) {
      long part = random;
      numbers.add(Incarnation.next(null, NOW, forced -> {}, bound -> part % bound));
    }
    assertThat(numbers).hasSize(1_000).allMatch(number -> number - NOW_MICROS < 1_000);
  }

  @Test
  void starts_from_copies_of_one_directory_have_different_numbers_also_when_the_clock_is_behind() {
    Set<Long> numbers = new HashSet<>();
    for (long copy = 0; copy < 10; copy++) {
      Path directory = parent.resolve("copy" + copy);
      next(directory, NOW);
      long part = 1_000 * copy;
      Instant behind = NOW.minusSeconds(60);
      numbers.add(Incarnation.next(directory, behind, forced -> {}, bound -> part % bound));
    }
    assertThat(numbers).hasSize(10).allMatch(number -> number > NOW_MICROS);
  }

  @Test
  void it_is_by_the_clock_where_nothing_is_remembered() {
    assertThat(next(null, NOW)).isEqualTo(NOW_MICROS);
    assertThat(next(null, NOW.minusSeconds(1))).isEqualTo(NOW_MICROS - 1_000_000);
  }

  @Test
  void it_grows_also_when_the_clock_goes_back_or_stands_still() {
    Path directory = parent.resolve("series");
    assertThat(next(directory, NOW)).isEqualTo(NOW_MICROS);
    assertThat(next(directory, NOW)).isEqualTo(NOW_MICROS + 1);
    assertThat(next(directory, NOW.minusSeconds(3_600))).isEqualTo(NOW_MICROS + 2);
    assertThat(next(directory, NOW.plusSeconds(1))).isEqualTo(NOW_MICROS + 1_000_000);
  }

  @Test
  void it_grows_also_when_the_number_can_be_read_but_not_written() throws IOException {
    assertThat(next(parent, NOW)).isEqualTo(NOW_MICROS);
    // Where the new content is to be written.
    Files.createDirectory(parent.resolve("incarnation.new"));
    assertThat(next(parent, NOW.minusSeconds(3_600))).isEqualTo(NOW_MICROS + 1);
    assertThat(next(parent, NOW.plusSeconds(1))).isEqualTo(NOW_MICROS + 1_000_000);
  }

  @Test
  void the_disk_has_the_number_under_its_name_before_the_start_counts() {
    List<String> forced = new ArrayList<>();
    Incarnation.Names names =
        directory -> forced.add(Files.readString(directory.resolve("incarnation")).strip());
    assertThat(Incarnation.next(parent, NOW, names, bound -> 0)).isEqualTo(NOW_MICROS);
    assertThat(Incarnation.next(parent, NOW, names, bound -> 0)).isEqualTo(NOW_MICROS + 1);
    assertThat(forced).containsExactly(Long.toString(NOW_MICROS), Long.toString(NOW_MICROS + 1));
  }

  @Test
  void an_unreadable_or_unwritable_file_does_not_prevent_a_start() throws IOException {
    Files.writeString(parent.resolve("incarnation"), "no number");
    assertThat(next(parent, NOW)).isEqualTo(NOW_MICROS);
    assertThat(next(Files.createFile(parent.resolve("file")), NOW)).isEqualTo(NOW_MICROS);
  }
}
