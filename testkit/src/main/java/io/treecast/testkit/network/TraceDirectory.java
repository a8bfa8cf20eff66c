package io.treecast.testkit.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a trace from a directory of text files, one for each slice of time. The last number in a
 * file's name is that of its slice; files without one are ignored.
 *
 * <p>A file is a square of round-trip times, one line for each node, cells separated by white
 * space, or by commas if the line has one. Entry (i, j) is the measurement of node i to node j;
 * {@code 0}, {@code -}, {@code nan}, {@code inf} or nothing means that there was no answer. The
 * diagonal is ignored. Blank lines and lines that begin with {@code #} are ignored.
 */
public final class TraceDirectory {
  private static final Pattern LAST_NUMBER = Pattern.compile("(?<!\\d)(\\d+)\\D*$");
  private static final int MAX_DIGITS = 9;
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private TraceDirectory() {}

  /**
   * Reads the slices of a range of numbers.
   *
   * @param first the number of the first slice
   * @param last the number of the last slice; missing slices in between are skipped
   * @throws MatrixFormatException if there is no such trace; the message has the file, the line,
   *     the error and the allowed values
   * @throws IOException if a file cannot be read
   */
  public static RoundTripTrace read(Path directory, RttUnit unit, int first, int last)
      throws IOException {
    SortedMap<Integer, Path> all = files(directory);
    if (all.isEmpty()) {
      throw new MatrixFormatException(directory + " has no file with a number in its name");
    }
    SortedMap<Integer, Path> files = all.subMap(first, last + 1);
    if (files.isEmpty()) {
      throw new MatrixFormatException(
          directory + " has slices " + all.firstKey() + " to " + all.lastKey() + " only");
    }
    if (files.size() > RoundTripTrace.MAX_SLICES) {
      throw new MatrixFormatException(
          directory + " has more than " + RoundTripTrace.MAX_SLICES + " slices");
    }
    List<long[]> slices = new ArrayList<>();
    int nodes = 0;
    for (Path file : files.values()) {
      long[][] matrix = matrix(file, unit);
      if (slices.isEmpty()) {
        nodes = matrix.length;
        checkSize(directory, nodes, files.size());
      } else if (matrix.length != nodes) {
        throw new MatrixFormatException(
            "%s has %s nodes, %s has %s; all slices need the same number"
                .formatted(file, matrix.length, files.get(files.firstKey()), nodes));
      }
      slices.add(RoundTripTrace.slice(matrix));
    }
    return RoundTripTrace.of(nodes, List.copyOf(files.keySet()), slices);
  }

  private static void checkSize(Path directory, int nodes, int slices)
      throws MatrixFormatException {
    long roundTrips = (long) nodes * (nodes - 1) / 2 * slices;
    if (roundTrips > RoundTripTrace.MAX_ROUND_TRIPS) {
      throw new MatrixFormatException(
          ("%s: %s slices of %s nodes are %s round trips; at most %s are allowed: take fewer "
                  + "slices")
              .formatted(directory, slices, nodes, roundTrips, RoundTripTrace.MAX_ROUND_TRIPS));
    }
  }

  private static SortedMap<Integer, Path> files(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new MatrixFormatException("there is no directory " + directory);
    }
    SortedMap<Integer, Path> byNumber = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        Matcher number = LAST_NUMBER.matcher(file.getFileName().toString());
        if (number.find()) {
          if (number.group(1).length() > MAX_DIGITS) {
            throw new MatrixFormatException(
                file + ": the number of a slice has at most " + MAX_DIGITS + " digits");
          }
          Path other = byNumber.put(Integer.valueOf(number.group(1)), file);
          if (other != null) {
            throw new MatrixFormatException(
                other + " and " + file + " are both slice " + number.group(1));
          }
        }
      }
    }
    return byNumber;
  }

  private static long[][] matrix(Path file, RttUnit unit) throws IOException {
    List<long[]> rows = new ArrayList<>();
    int line = 0;
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        line++;
        String cells = (line == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text).strip();
        if (!cells.isEmpty() && !cells.startsWith("#")) {
          rows.add(row(file, line, cells, unit));
          check(file, line, rows);
        }
      }
    } catch (CharacterCodingException e) {
      throw new MatrixFormatException(file + ": not a text file in UTF-8");
    }
    if (rows.isEmpty() || rows.size() != rows.get(0).length) {
      throw new MatrixFormatException(
          ("%s: not square: %s lines of %s values; a network of as many nodes needs as many "
                  + "lines")
              .formatted(file, rows.size(), rows.isEmpty() ? 0 : rows.get(0).length));
    }
    return rows.toArray(long[][]::new);
  }

  private static long[] row(Path file, int line, String text, RttUnit unit)
      throws MatrixFormatException {
    String[] cells = text.indexOf(',') >= 0 ? text.split(",", -1) : SPACES.split(text);
    long[] row = new long[cells.length];
    for (int column = 0; column < cells.length; column++) {
      try {
        row[column] = unit.micros(cells[column].strip());
      } catch (IllegalArgumentException e) {
        throw new MatrixFormatException(
            file + ", line " + line + ", column " + (column + 1) + ": " + e.getMessage());
      }
    }
    return row;
  }

  private static void check(Path file, int line, List<long[]> rows) throws MatrixFormatException {
    int expected = rows.get(0).length;
    int values = rows.get(rows.size() - 1).length;
    if (values != expected) {
      throw new MatrixFormatException(
          ("%s, line %s: not square: %s values where the first line has %s; all lines need "
                  + "the same number")
              .formatted(file, line, values, expected));
    }
    if (values > RoundTripTrace.MAX_NODES) {
      throw new MatrixFormatException(
          "%s, line %s: %s values; at most %s nodes are allowed"
              .formatted(file, line, values, RoundTripTrace.MAX_NODES));
    }
  }
}
