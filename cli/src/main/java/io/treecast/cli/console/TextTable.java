package io.treecast.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A table of text whose columns are as wide as their widest cell. Single-threaded. */
public final class TextTable {
  private final Set<Integer> numbers;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates a table with a header and no rows.
   *
   * @param numbers the columns that are aligned to the right, from 0
   */
  public TextTable(Set<Integer> numbers, List<String> header) {
    this.numbers = Set.copyOf(numbers);
    rows.add(List.copyOf(header));
  }

  /** Adds a row with as many cells as the header. */
  public void add(List<String> cells) {
    if (cells.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.size() + " cells in a table of " + rows.get(0).size() + " columns");
    }
    rows.add(List.copyOf(cells));
  }

  /** Returns a line for each row, the header first. */
  public List<String> lines() {
    return lines(rows.get(0).size());
  }

  /** Returns a line for each row, with only the first columns. */
  public List<String> lines(int columns) {
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String pad = " ".repeat(widths[i] - row.get(i).length());
      line.append(numbers.contains(i) ? pad + row.get(i) : row.get(i) + pad).append("  ");
    }
    return line.toString().stripTrailing();
  }
}
