package io.treecast.cli.simulate;

import io.treecast.testkit.compare.Comparison.Row;
import io.treecast.testkit.compare.Cost;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The comparison of Treecast with other algorithms, for people and for programs.
 *
 * @param source the name of the node that broadcasts
 * @param sendMillis duration of a send at its sender
 * @param broadcasts the number of broadcasts in immediate succession
 * @param rows the result of each algorithm, Treecast first
 */
record CompareReport(String source, double sendMillis, int broadcasts, List<Row> rows) {
  CompareReport {
    rows = List.copyOf(rows);
  }

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%nTreecast and others: broadcasts from %s in a model of latencies alone, and %.3f ms for each"
            + " send. Before and after are times to the last node.%n",
        source,
        sendMillis);
    out.println(
        "algorithm     build: messages     bytes        ms   changes: messages     bytes        ms"
            + "    before ms     after ms  copies between sites");
    for (Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%-12s %16d %9s %9.1f %19d %9s %9.1f %12.1f %12.1f %21d%n",
          row.name(),
          row.build().messages(),
          bytes(row.build()),
          row.build().millis(),
          row.changes().messages(),
          bytes(row.changes()),
          row.changes().millis(),
          row.firstMillis(),
          row.lastMillis(),
          row.siteCopies());
    }
    if (broadcasts > 1) {
      out.printf(
          Locale.ROOT,
          "%d broadcasts one right after the other, after the changes: %s%n",
          broadcasts,
          rows.stream()
              .map(row -> String.format(Locale.ROOT, "%s %.1f ms", row.name(), row.allMillis()))
              .collect(Collectors.joining(", ")));
    }
    for (Row row : rows) {
      if (!row.build().messagesByType().isEmpty()) {
        out.printf("%s builds with%s%n", row.name(), byType(row.build()));
      }
    }
    out.flush();
  }

  private static String bytes(Cost cost) {
    return isUncounted(cost) ? "-" : Long.toString(cost.bytes());
  }

  private static boolean isUncounted(Cost cost) {
    return cost.bytes() == 0 && cost.messages() > 0;
  }

  private static String byType(Cost cost) {
    return cost.messagesByType().entrySet().stream()
        .map(entry -> " " + entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining());
  }

  void addTo(ObjectNode report) {
    ObjectNode json = report.putObject("compare");
    json.put("source", source);
    json.put("sendMillis", sendMillis);
    json.put("broadcasts", broadcasts);
    ArrayNode array = json.putArray("algorithms");
    for (Row row : rows) {
      ObjectNode item = array.addObject();
      item.put("algorithm", row.name());
      add(item.putObject("build"), row.build());
      add(item.putObject("changes"), row.changes());
      item.put("lastNodeMillisBefore", rounded(row.firstMillis()));
      item.put("lastNodeMillis", rounded(row.lastMillis()));
      item.put("allBroadcastsMillis", rounded(row.allMillis()));
      item.put("siteCopies", row.siteCopies());
    }
  }

  private static void add(ObjectNode json, Cost cost) {
    json.put("controlMessages", cost.messages());
    ObjectNode byType = json.putObject("messagesByType");
    cost.messagesByType().forEach(byType::put);
    json.put("bytes", isUncounted(cost) ? null : cost.bytes());
    json.put("millis", rounded(cost.millis()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
