package io.treecast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of a progress bar. */
class ProgressBarTest {
  private static final long GIB = 1L << 30;

  private static String halfAGibibyteIn8Seconds(long size, int columns) {
    return ProgressBar.line(GIB / 2, size, "sending", 8, columns);
  }

  @Test
  void a_usual_terminal_shows_a_bar_and_how_much_how_fast() {
    assertThat(halfAGibibyteIn8Seconds(GIB, 80))
        .isEqualTo(
            "sending [###############...............]  50 %, 512.0 of 1024.0 MiB, 64.0 MiB/s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "50|sending  50 %, 512.0 of 1024.0 MiB, 64.0 MiB/s",
        "40|sending  50 %, 512.0 of 1024.0 MiB",
        "30|sending  50 %",
        "10|  50 %"
      })
  void a_narrow_one_shows_less(int columns, String line) {
    assertThat(halfAGibibyteIn8Seconds(GIB, columns)).isEqualTo(line);
  }

  @Test
  void an_unknown_size_has_no_percentage() {
    assertThat(halfAGibibyteIn8Seconds(0, 80)).isEqualTo("sending 512.0 MiB, 64.0 MiB/s");
    assertThat(halfAGibibyteIn8Seconds(0, 20)).isEqualTo("sending 512.0 MiB");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 20, 46, 47, 48, 75, 76, 77, 78, 79})
  void no_line_reaches_the_last_column(int columns) {
    assertThat(halfAGibibyteIn8Seconds(GIB, columns)).hasSizeLessThan(columns);
  }
}
