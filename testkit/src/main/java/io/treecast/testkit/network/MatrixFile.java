package io.treecast.testkit.network;

import io.treecast.testkit.network.Topology.Link;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Reads a network from a text file: a symmetric square of round-trip times in milliseconds.
 *
 * <ul>
 *   <li>One line for each node. Its cells are separated by commas if the line has one, by white
 *       space if not. Blank lines and lines that begin with {@code #} are ignored.
 *   <li>A cell is a number such as {@code 485.4}, up to one hour, rounded to the microsecond;
 *       values between zero and a microsecond count as one.
 *   <li>No link: {@code 0}, {@code -}, {@code nan}, {@code inf}, or nothing between two commas. The
 *       diagonal has to be one of these.
 *   <li>The first line may be a header with the names of the nodes; then each line begins with the
 *       name of its node, in the same order, and the header has one more leading cell with any
 *       content. A name has letters, digits, {@code .}, {@code _} and {@code -}, and is not a
 *       number.
 * </ul>
 *
 * <p>One use for each file; single-threaded.
 */
public final class MatrixFile {
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final Pattern NO_LINK = Pattern.compile("|-|nan|inf", Pattern.CASE_INSENSITIVE);
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]*\\.?[0-9]*([eE][+-]?[0-9]+)?");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /**
   * A network whose nodes may have names.
   *
   * @param topology the network
   * @param names the names of the nodes by number; the numbers themselves if the file has no names
   */
  public record NamedNetwork(Topology topology, List<String> names) {
    /** Copies the names. */
    public NamedNetwork {
      names = List.copyOf(names);
    }

    /** Returns a network whose nodes are named by their numbers. */
    public static NamedNetwork ofNumbers(Topology topology) {
      return new NamedNetwork(
          topology, IntStream.range(0, topology.nodes()).mapToObj(Integer::toString).toList());
    }

    /** Returns whether a node has another name than its number. */
    public boolean hasNames() {
      return !names.equals(ofNumbers(topology).names);
    }
  }

  private final String name;
  private final List<String> names = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private int columns;

  /**
   * The links of a row in the order of its columns, retained for the check of symmetry with later
   * rows.
   */
  private static final class Row {
    private final int line;
    private final int[] ends;
    private final long[] rttMicros;

    Row(int line, int[] ends, long[] rttMicros) {
      this.line = line;
      this.ends = ends;
      this.rttMicros = rttMicros;
    }

    long rttMicros(int end) {
      int index = Arrays.binarySearch(ends, end);
      return index < 0 ? 0 : rttMicros[index];
    }
  }

  private MatrixFile(String name) {
    this.name = name;
  }

  /**
   * Reads a file.
   *
   * @throws MatrixFormatException if it is not a matrix
   * @throws IOException if it cannot be read; the message names it
   */
  public static Topology read(Path file) throws IOException {
    return readNamed(file).topology();
  }

  /**
   * Reads a file that may have names.
   *
   * @throws MatrixFormatException if it is not a matrix
   * @throws IOException if it cannot be read; the message names it
   */
  public static NamedNetwork readNamed(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return new MatrixFile(file.toString()).parse(reader);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(file.toString(), null, "there is no such matrix file");
    } catch (MatrixFormatException e) {
      throw e;
    } catch (CharacterCodingException e) {
      throw new MatrixFormatException(file + ": not a text file in UTF-8");
    } catch (IOException e) {
      throw new IOException("cannot read the matrix file " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads to the end of a reader, which stays open.
   *
   * @param name the name of the file in error messages
   * @throws MatrixFormatException if it is not a matrix
   */
  public static Topology read(String name, Reader reader) throws IOException {
    return new MatrixFile(name).parse(new BufferedReader(reader)).topology();
  }

  private NamedNetwork parse(BufferedReader reader) throws IOException {
    int line = 0;
    for (String text = reader.readLine(); text != null; text = reader.readLine()) {
      line++;
      String cells = (line == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text).strip();
      if (!cells.isEmpty() && !cells.startsWith("#")) {
        addRow(line, cells);
      }
    }
    if (rows.isEmpty()) {
      throw new MatrixFormatException(
          name + ": empty; expected one line of round-trip times for each node");
    }
    if (rows.size() < columns) {
      throw new MatrixFormatException(
          ("%s: not square: lines of %s values, but only %s such lines; a network of %s "
                  + "nodes needs as many")
              .formatted(name, columns, rows.size(), columns));
    }
    Topology topology = Topology.of(columns, links);
    return names.isEmpty() ? NamedNetwork.ofNumbers(topology) : new NamedNetwork(topology, names);
  }

  /**
   * Adds the names of a header.
   *
   * @return whether the line is a header: no cell after the first is a number
   */
  private boolean isHeader(int line, String[] cells) throws MatrixFormatException {
    if (!names.isEmpty() || !rows.isEmpty() || isAnyNumber(cells)) {
      return false;
    }
    for (int column = 1; column < cells.length; column++) {
      String node = cells[column].strip();
      if (!NAME.matcher(node).matches()) {
        throw at(
            line,
            column,
            "'"
                + node
                + "' is neither a round trip nor the name of a node; names have letters, digits,"
                + " '.', '_' and '-'");
      }
      if (names.contains(node)) {
        throw at(line, column, "two nodes are called '" + node + "'");
      }
      names.add(node);
    }
    return true;
  }

  /**
   * Returns whether a cell after the first is a round trip or a mark for no link, or there is only
   * one cell.
   */
  private static boolean isAnyNumber(String[] cells) {
    for (int column = 1; column < cells.length; column++) {
      String cell = cells[column].strip();
      if (NO_LINK.matcher(cell).matches() || NUMBER.matcher(cell).matches()) {
        return true;
      }
    }
    return cells.length == 1;
  }

  /** Returns the cells after the name of the line's node. */
  private String[] withoutName(int line, String[] cells) throws MatrixFormatException {
    String node = cells[0].strip();
    if (rows.size() < names.size() && !node.equals(names.get(rows.size()))) {
      throw at(
          line,
          0,
          ("'%s' where the header has '%s'; rows and columns need the same names in the same "
                  + "order")
              .formatted(node, names.get(rows.size())));
    }
    return Arrays.copyOfRange(cells, 1, cells.length);
  }

  private void addRow(int line, String text) throws MatrixFormatException {
    String[] cells = text.indexOf(',') >= 0 ? text.split(",", -1) : SPACES.split(text);
    if (isHeader(line, cells)) {
      return;
    }
    if (!names.isEmpty()) {
      cells = withoutName(line, cells);
    }
    int row = rows.size();
    if (row == 0) {
      columns = cells.length;
      if (columns > Topology.MAX_NODES) {
        throw at(line, columns + " values; at most " + Topology.MAX_NODES + " nodes are allowed");
      }
    }
    if (cells.length != columns) {
      throw at(
          line,
          "not square: %s values where line %s has %s; all lines need the same number"
              .formatted(cells.length, rows.get(0).line, columns));
    }
    if (row == columns) {
      throw at(
          line,
          "not square: more than %s lines of %s values; a network of %s nodes needs as many"
              .formatted(columns, columns, columns));
    }
    int[] ends = new int[columns];
    long[] rttMicros = new long[columns];
    int linked = 0;
    for (int column = 0; column < columns; column++) {
      String cell = cells[column].strip();
      long micros = micros(line, column, cell);
      if (column == row && micros != 0) {
        throw at(
            line, column, "'" + cell + "' from node " + row + " to itself; the diagonal must be 0");
      }
      if (column < row) {
        checkSymmetric(line, row, column, micros);
      }
      if (micros != 0) {
        ends[linked] = column;
        rttMicros[linked++] = micros;
      }
      if (micros != 0 && column < row) {
        if (links.size() == Topology.MAX_LINKS) {
          throw at(line, column, "more than " + Topology.MAX_LINKS + " links");
        }
        links.add(new Link(column, row, micros));
      }
    }
    rows.add(new Row(line, Arrays.copyOf(ends, linked), Arrays.copyOf(rttMicros, linked)));
  }

  private void checkSymmetric(int line, int row, int column, long micros)
      throws MatrixFormatException {
    Row other = rows.get(column);
    long otherMicros = other.rttMicros(row);
    if (micros != otherMicros) {
      throw at(
          line,
          column,
          "not symmetric: node "
              + row
              + " to node "
              + column
              + " is "
              + described(micros)
              + ", but "
              + column
              + " to "
              + row
              + " is "
              + described(otherMicros)
              + " (line "
              + other.line
              + ", column "
              + (row + 1)
              + "); both must be the same");
    }
  }

  private long micros(int line, int column, String cell) throws MatrixFormatException {
    try {
      return RttUnit.MILLISECONDS.micros(cell);
    } catch (IllegalArgumentException e) {
      throw at(line, column, String.valueOf(e.getMessage()));
    }
  }

  private static String described(long micros) {
    return micros == 0 ? "not a link" : micros / 1000.0 + " ms";
  }

  private MatrixFormatException at(int line, String what) {
    return new MatrixFormatException(name + ", line " + line + ": " + what);
  }

  private MatrixFormatException at(int line, int column, String what) {
    return new MatrixFormatException(
        name + ", line " + line + ", column " + (column + 1) + ": " + what);
  }
}
