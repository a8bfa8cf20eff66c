package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.testkit.network.Topology.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceDirectoryTest {
  @TempDir private Path directory;

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private RoundTripTrace read() throws IOException {
    return TraceDirectory.read(directory, RttUnit.MILLISECONDS, 0, 1_000);
  }

  @Test
  void slices_come_in_the_order_of_their_numbers() throws IOException {
    write("rtt_10", "0 3\n3 0");
    write("rtt_9.txt", "0 2\n2 0");
    write("README", "no slice");
    RoundTripTrace trace = read();
    assertThat(trace.slices()).isEqualTo(2);
    assertThat(trace.number(0)).isEqualTo(9);
    assertThat(trace.number(1)).isEqualTo(10);
    assertThat(trace.rttMicros(0, 0, 1)).isEqualTo(2_000);
    assertThat(trace.rttMicros(1, 1, 0)).isEqualTo(3_000);
  }

  @Test
  void the_lesser_of_both_ways_is_the_round_trip_and_one_way_is_enough() throws IOException {
    write("1", "9 5 0\n4, 9, nan\n7 - 9");
    assertThat(read().links(0)).containsExactly(new Link(0, 1, 4_000), new Link(0, 2, 7_000));
    assertThat(read().rttMicros(0, 1, 2)).isZero();
  }

  @Test
  void more_round_trips_than_memory_holds_are_refused_after_the_first_slice() throws IOException {
    write("1", ("0 ".repeat(1_000) + "\n").repeat(1_000));
    for (int slice = 2; slice <= 201; slice++) {
      write("s" + slice, "not read any more");
    }
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(this::read)
        .withMessageContainingAll("201 slices", "1000 nodes", "100399500", "100000000");
  }

  @Test
  void every_pair_has_a_place_of_its_own() throws IOException {
    write("1", "0 1 2 3\n9 0 4 5\n9 9 0 6\n9 9 9 0");
    assertThat(read().links(0))
        .extracting(Link::rttMicros)
        .containsExactly(1_000L, 2_000L, 3_000L, 4_000L, 5_000L, 6_000L);
  }

  @Test
  void times_may_be_in_seconds_and_only_some_slices_wanted() throws IOException {
    for (int slice = 1; slice <= 5; slice++) {
      write("s" + slice, "0 0.00" + slice + "\n0 0");
    }
    RoundTripTrace trace = TraceDirectory.read(directory, RttUnit.SECONDS, 2, 4);
    assertThat(trace.slices()).isEqualTo(3);
    assertThat(trace.rttMicros(0, 0, 1)).isEqualTo(2_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 1;1 | t1, line 2: | 1 values",
        "0 1 2;1 0 2 | t1: | 2 lines of 3 values",
        "# nothing | t1: | 0 lines of 0 values",
        "0 x;1 0 | t1, line 1, column 2: 'x' | 3600000",
        "0 1;-1 0 | t1, line 2, column 1: '-1' | 3600000"
      })
  void a_file_that_is_not_a_matrix_is_named_with_the_line(String text, String place, String value)
      throws IOException {
    write("t1", text.replace(';', '\n'));
    refused(place, value);
  }

  @Test
  void slices_of_different_sizes_or_of_one_number_are_not_a_trace() throws IOException {
    write("t1", "0 1\n1 0");
    write("t2", "0");
    refused("t2", "1 nodes");
    write("t02", "0 1\n1 0");
    refused("t02", "slice 2");
  }

  @Test
  void a_directory_that_is_not_there_or_has_no_slice_is_named() {
    refused(directory.toString());
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(() -> TraceDirectory.read(directory.resolve("no"), RttUnit.SECONDS, 1, 2))
        .withMessageContaining(directory.resolve("no").toString());
  }

  @Test
  void missing_slices_are_named_with_the_existing_ones() throws IOException {
    write("t3", "0");
    write("t5", "0");
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(() -> TraceDirectory.read(directory, RttUnit.SECONDS, 6, 9))
        .withMessageContaining("3 to 5");
  }

  private void refused(String... values) {
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(this::read)
        .withMessageContainingAll(values);
  }
}
