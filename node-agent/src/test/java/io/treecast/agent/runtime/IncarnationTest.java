package io.treecast.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncarnationTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00.000007Z");
  private static final long NOW_MICROS = 1_777_636_800_000_007L;

  @TempDir private Path parent;

  @Test
  void itIsByTheClockWhereNothingIsRemembered() {
    assertThat(Incarnation.next(null, NOW)).isEqualTo(NOW_MICROS);
    assertThat(Incarnation.next(null, NOW.minusSeconds(1))).isEqualTo(NOW_MICROS - 1_000_000);
  }

  @Test
  void itGrowsAlsoWhenTheClockGoesBackOrStandsStill() {
    Path directory = parent.resolve("series");
    assertThat(Incarnation.next(directory, NOW)).isEqualTo(NOW_MICROS);
    assertThat(Incarnation.next(directory, NOW)).isEqualTo(NOW_MICROS + 1);
    assertThat(Incarnation.next(directory, NOW.minusSeconds(3_600))).isEqualTo(NOW_MICROS + 2);
    assertThat(Incarnation.next(directory, NOW.plusSeconds(1))).isEqualTo(NOW_MICROS + 1_000_000);
  }

  @Test
  void itGrowsAlsoWhenTheNumberCanBeReadButNotWritten() throws IOException {
    assertThat(Incarnation.next(parent, NOW)).isEqualTo(NOW_MICROS);
    // Where the new content is to be written.
    Files.createDirectory(parent.resolve("incarnation.new"));
    assertThat(Incarnation.next(parent, NOW.minusSeconds(3_600))).isEqualTo(NOW_MICROS + 1);
    assertThat(Incarnation.next(parent, NOW.plusSeconds(1))).isEqualTo(NOW_MICROS + 1_000_000);
  }

  @Test
  void theDiskHasTheNumberUnderItsNameBeforeTheStartCounts() {
    List<String> forced = new ArrayList<>();
    Incarnation.Names names =
        directory -> forced.add(Files.readString(directory.resolve("incarnation")).strip());
    assertThat(Incarnation.next(parent, NOW, names)).isEqualTo(NOW_MICROS);
    assertThat(Incarnation.next(parent, NOW, names)).isEqualTo(NOW_MICROS + 1);
    assertThat(forced).containsExactly(Long.toString(NOW_MICROS), Long.toString(NOW_MICROS + 1));
  }

  @Test
  void whatCanNotBeReadOrWrittenCostsNoStart() throws IOException {
    Files.writeString(parent.resolve("incarnation"), "no number");
    assertThat(Incarnation.next(parent, NOW)).isEqualTo(NOW_MICROS);
    assertThat(Incarnation.next(Files.createFile(parent.resolve("file")), NOW))
        .isEqualTo(NOW_MICROS);
  }
}
