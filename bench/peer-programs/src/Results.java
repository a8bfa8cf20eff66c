import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All figures of a run: each as a line of a CSV file, and a table of them at the end. */
final class Results implements AutoCloseable {
  /**
   * One measurement.
   *
   * @param kind small, large, rate or reduce
   * @param bytes of one message or vector
   * @param messages at once
   * @param seconds until the last member had all
   * @param limitSeconds the least that the network permits
   * @param crossedBytes between sites, of all packets meanwhile
   */
  record Figure(
      String system, String kind, long bytes, int messages, int source, int round, double seconds, double limitSeconds,
      long crossedBytes) {
    double ratio() {
      return seconds / limitSeconds;
    }
  }

  private final PrintStream csv;
  private final List<Figure> figures = new ArrayList<>();
  private final Map<String, String> notRun = new LinkedHashMap<>();

  Results(Path file) throws IOException {
    csv = new PrintStream(file.toFile(), StandardCharsets.UTF_8);
    csv.println("system,kind,bytes,messages,source,round,seconds,limit_seconds,bytes_between_sites");
  }

  void add(Figure f) {
    figures.add(f);
    csv.printf("%s,%s,%d,%d,%d,%d,%.6f,%.6f,%d%n", f.system, f.kind, f.bytes, f.messages, f.source, f.round, f.seconds,
        f.limitSeconds, f.crossedBytes);
    csv.flush();
  }

  void notRun(String what, String why) {
    System.err.println("peers: " + what + " was not measured: " + why);
    notRun.put(what, why);
  }

  /** Prints a column for each system, and a line for each kind. */
  void print(List<String> systems) {
    System.out.printf("%-44s", "");
    systems.forEach(system -> System.out.printf("%15s", system));
    System.out.println();
    line("small broadcast: mean of all sources / limit", systems, "small", small -> sourceRatios(small).average().orElse(Double.NaN), "%.3f");
    line("  worst source / limit", systems, "small", small -> sourceRatios(small).max().orElse(Double.NaN), "%.3f");
    line("  KB between sites, for one", systems, "small", small -> median(small, f -> f.crossedBytes / 1e3), "%.1f");
    sizes("large").forEach(bytes -> {
      line(name(bytes) + " to all: s", systems, of("large", bytes), large -> median(large, Figure::seconds), "%.2f");
      line("  first / limit", systems, of("large", bytes).and(f -> f.round == 0), large -> median(large, Figure::ratio), "%.2f");
      line("  later / limit", systems, of("large", bytes).and(f -> f.round > 0), large -> median(large, Figure::ratio), "%.2f");
      line("  MB between sites", systems, of("large", bytes), large -> median(large, f -> f.crossedBytes / 1e6), "%.1f");
    });
    sizes("rate").forEach(bytes ->
      line("messages/s of " + bytes + " bytes to all, best", systems, of("rate", bytes),
          rate -> rate.stream().mapToDouble(f -> f.messages / f.seconds).max().orElse(Double.NaN), "%.0f"));
    sizes("reduce").forEach(bytes -> {
      line("allReduce of " + name(bytes) + ": s", systems, of("reduce", bytes), reduce -> median(reduce, Figure::seconds), "%.3f");
      line("  / limit", systems, of("reduce", bytes), reduce -> median(reduce, Figure::ratio), "%.2f");
    });
    notRun.forEach((what, why) -> System.out.println("not measured: " + what + ": " + why));
  }

  private List<Long> sizes(String kind) {
    return figures.stream().filter(f -> f.kind.equals(kind)).map(Figure::bytes).distinct().sorted().collect(Collectors.toList());
  }

  private static String name(long bytes) {
    return bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : bytes + " bytes";
  }

  private static Predicate<Figure> of(String kind, long bytes) {
    return f -> f.kind.equals(kind) && f.bytes == bytes;
  }

  private interface Summary {
    double of(List<Figure> figures);
  }

  private interface Value {
    double of(Figure figure);
  }

  private void line(String name, List<String> systems, String kind, Summary summary, String format) {
    line(name, systems, f -> f.kind.equals(kind), summary, format);
  }

  private void line(String name, List<String> systems, Predicate<Figure> which, Summary summary, String format) {
    System.out.printf("%-44s", name);
    for (String system : systems) {
      List<Figure> all =
          figures.stream().filter(which).filter(f -> f.system.equals(system)).collect(Collectors.toList());
      System.out.printf("%15s", all.isEmpty() ? "-" : String.format(format, summary.of(all)));
    }
    System.out.println();
  }

  /** The median of each source. */
  private static java.util.stream.DoubleStream sourceRatios(List<Figure> small) {
    Map<Integer, List<Figure>> bySource =
        small.stream().collect(Collectors.groupingBy(Figure::source, TreeMap::new, Collectors.toList()));
    return bySource.values().stream().mapToDouble(of -> median(of, Figure::ratio));
  }

  private static double median(List<Figure> figures, Value value) {
    double[] sorted = figures.stream().mapToDouble(value::of).sorted().toArray();
    return sorted.length == 0 ? Double.NaN : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  @Override
  public void close() {
    csv.close();
  }
}
