package io.treecast.cli.reproduce;

import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.reproduce.Figures;
import io.treecast.testkit.reproduce.Measure;
import io.treecast.testkit.reproduce.Result;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A {@link Result} as text for a terminal. Stateless. */
final class ResultText {
  private static final int WIDTH = 100;

  private ResultText() {}

  static void print(Result result, PrintWriter out) {
    out.println(result.id() + ": " + result.title());
    out.println();
    wrapped(out, "Set-up: " + result.setUp());
    wrapped(out, "Published: " + result.published());
    out.println();
    for (Result.Row row : result.rows()) {
      out.printf(Locale.ROOT, "%-52s %12s %12s%n", row.name(), "published", "own");
      for (Measure measure : Measure.values()) {
        Double published = row.published().get(measure);
        Double own = row.own().get(measure);
        if (published != null || own != null) {
          out.printf(
              Locale.ROOT,
              "  %-50s %12s %12s%n",
              measure.label(),
              text(measure, published),
              text(measure, own));
        }
      }
      printTypes(row, out);
      out.println();
    }
    for (Result.DrawnTree tree : result.trees()) {
      out.println(tree.title() + ":");
      out.print(drawing(tree));
      out.println();
    }
    wrapped(out, "Differences: " + result.differs());
    List<String> worse = result.worse();
    if (!worse.isEmpty()) {
      out.println("Worse than published:");
      worse.forEach(line -> out.println("  " + line));
    }
    out.println();
    out.flush();
  }

  static String drawing(Result.DrawnTree tree) {
    int nodes = tree.edges().size() + 1;
    int root = nodes > ReferenceNetwork.SOURCE ? ReferenceNetwork.SOURCE : 0;
    return TreeLines.of(tree.edges(), root);
  }

  private static void printTypes(Result.Row row, PrintWriter out) {
    SortedSet<String> types = new TreeSet<>(row.published().messagesByType().keySet());
    types.addAll(row.own().messagesByType().keySet());
    for (String type : types) {
      out.printf(
          Locale.ROOT,
          "    %-48s %12s %12s%n",
          type,
          count(row.published(), type),
          count(row.own(), type));
    }
  }

  static String count(Figures figures, String type) {
    Double count = figures.messagesByType().get(type);
    return count == null ? "-" : Result.text(Measure.CONTROL_MESSAGES, count);
  }

  static String text(Measure measure, @Nullable Double value) {
    return value == null ? "-" : Result.text(measure, value);
  }

  private static void wrapped(PrintWriter out, String text) {
    List<String> line = new ArrayList<>();
    int length = 0;
    for (String word : text.split(" ", -1)) {
      if (length + word.length() > WIDTH) {
        out.println(String.join(" ", line).strip());
        line.clear();
        length = 0;
      }
      line.add(word);
      length += word.length() + 1;
    }
    out.println(String.join(" ", line).strip());
  }
}
