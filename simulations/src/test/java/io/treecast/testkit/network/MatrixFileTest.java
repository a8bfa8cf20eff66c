package io.treecast.testkit.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.treecast.testkit.network.Topology.Link;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixFileTest {

  @Test
  void reads_milliseconds_separated_by_commas() throws IOException {
    Topology network = parse("0,1.5,200\n1.5,0,3\n200,3,0\n");
    assertThat(network.nodes()).isEqualTo(3);
    assertThat(network.links())
        .containsExactly(new Link(0, 1, 1_500), new Link(0, 2, 200_000), new Link(1, 2, 3_000));
  }

  @Test
  void reads_milliseconds_separated_by_white_space() throws IOException {
    assertThat(parse("  0  1.5\t200\n1.5 0 3  \n200 3 0").links())
        .isEqualTo(parse("0,1.5,200\n1.5,0,3\n200,3,0").links());
  }

  @Test
  void ignores_blank_lines_comments_a_byte_order_mark_and_windows_line_ends() throws IOException {
    assertThat(parse("\uFEFF# two nodes\r\n\r\n0, 5\r\n  # and\n   \n 5 ,0").links())
        .containsExactly(new Link(0, 1, 5_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-", "nan", "NaN", "inf", "INF", "", " ", "0.0"})
  void these_cells_say_that_there_is_no_link(String cell) throws IOException {
    Topology network = parse("0,1," + cell + "\n1," + cell + ",2\n-,2,0\n");
    assertThat(network.links()).containsExactly(new Link(0, 1, 1_000), new Link(1, 2, 2_000));
  }

  @Test
  void keeps_times_to_the_microsecond_and_makes_one_of_anything_less() throws IOException {
    Topology network = parse("0 0.0014 0.0001\n1.4e-3 0 3600000\n1E-4 3600000 0");
    assertThat(network.links())
        .containsExactly(
            new Link(0, 1, 1), new Link(0, 2, 1), new Link(1, 2, Topology.MAX_RTT_MICROS));
  }

  @Test
  void a_header_and_a_column_of_names_call_the_nodes(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("m.csv"), "ms,paris,h-2\nparis,0,5\nh-2,5,0\n");
    MatrixFile.NamedNetwork network = MatrixFile.readNamed(file);
    assertThat(network.names()).containsExactly("paris", "h-2");
    assertThat(network.hasNames()).isTrue();
    assertThat(network.topology().links()).containsExactly(new Link(0, 1, 5_000));

    Files.writeString(file, "0,5\n5,0\n");
    assertThat(MatrixFile.readNamed(file).names()).containsExactly("0", "1");
    assertThat(MatrixFile.readNamed(file).hasNames()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ms,a,a\na,0,5\na,5,0\n",
        "ms,a,b\nb,0,5\na,5,0\n",
        "ms,a,b\na,0,5\n",
        "ms,a,b c\na,0,5\nb c,5,0\n",
        "ms,a,b\n0,5\n5,0\n",
        "ms,a,1\na,0,5\n1,5,0\n"
      })
  void different_names_of_rows_and_columns_are_refused(String text) {
    assertThatExceptionOfType(MatrixFormatException.class).isThrownBy(() -> parse(text));
  }

  @Test
  void a_single_node_is_a_network() throws IOException {
    assertThat(parse("0").nodes()).isEqualTo(1);
  }

  @Test
  void a_line_with_too_few_or_too_many_values_is_named() {
    refused("0,1,2\n1,0,3\n2,3\n", "m.csv, line 3: ", "2 values", "line 1");
    refused("0,1,2\n1,0,3,\n2,3,0\n", "m.csv, line 2: ", "4 values", "line 1");
  }

  @Test
  void too_few_or_too_many_lines_are_not_square() {
    refused("0,1,2\n1,0,3\n", "m.csv: ", "3 values", "3 nodes");
    refused("0,1\n1,0\n\n1,1\n", "m.csv, line 4: ", "2 values", "2 nodes");
  }

  @Test
  void a_negative_value_is_named_with_its_place() {
    refused("0,1\n-1,0\n", "m.csv, line 2, column 1: '-1'", "3600000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"fast", "1.2.3", "0x10", "1f", "1;2", "1 2", "-inf", "infinity", "."})
  void a_value_that_is_not_a_number_is_named_with_its_place(String value) {
    refused(
        "# head\n0,1\n1," + value + "\n", "m.csv, line 3, column 2: '" + value + "'", "3600000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3600000.1", "1e300", "1e999"})
  void more_than_an_hour_is_refused(String value) {
    refused(
        "0," + value + "\n" + value + ",0\n",
        "m.csv, line 1, column 2: '" + value + "'",
        "3600000");
  }

  @Test
  void an_asymmetry_is_named_with_both_cells_and_values() {
    refused(
        "0,1,2\n\n1,0,3\n2.5,3,0\n",
        "m.csv, line 4, column 1: ",
        "2.5 ms",
        "2.0 ms",
        "line 1, column 3");
    refused("0,1,2\n1,0,3\n2,-,0\n", "m.csv, line 3, column 2: ", "3.0 ms", "line 2, column 3");
  }

  @Test
  void a_link_from_a_node_to_itself_is_refused() {
    refused("0,1\n1,7\n", "m.csv, line 2, column 2: '7'", "node 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# nothing\n"})
  void a_file_without_values_is_refused(String text) {
    refused(text, "m.csv", ": ");
  }

  @Test
  void too_many_nodes_are_refused_at_the_first_line() {
    refused(
        String.join(" ", Collections.nCopies(20_001, "0")),
        "m.csv, line 1: ",
        "20001 values",
        "20000 nodes");
  }

  @Test
  void reads_a_file_and_names_it_in_errors(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("net.csv");
    Files.writeString(file, "0,5\n5,0\n");
    assertThat(MatrixFile.read(file).links()).containsExactly(new Link(0, 1, 5_000));

    Files.writeString(file, "0,5\n");
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(() -> MatrixFile.read(file))
        .withMessageStartingWith(file + ": ");
  }

  @Test
  void the_error_names_a_file_that_is_absent_or_not_text(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("no.csv");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> MatrixFile.read(missing))
        .withMessageContaining(missing.toString());
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> MatrixFile.read(folder))
        .withMessageContaining(folder.toString());
    Path binary = folder.resolve("bytes");
    Files.write(binary, "é".getBytes(StandardCharsets.ISO_8859_1));
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(() -> MatrixFile.read(binary))
        .withMessageContainingAll(binary.toString(), "UTF-8");
  }

  private static Topology parse(String text) throws IOException {
    return MatrixFile.read("m.csv", new StringReader(text));
  }

  private static void refused(String text, String place, String... values) {
    assertThatExceptionOfType(MatrixFormatException.class)
        .isThrownBy(() -> parse(text))
        .withMessageStartingWith(place)
        .withMessageContainingAll(values);
  }
}
