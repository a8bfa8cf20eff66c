package io.treecast.mst;

import io.treecast.mst.EventCosts.Cost;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Builds a tree of 10,000 nodes with 16 links each, and plays 100 random events, in virtual time.
 * Both oracles check each result. Arguments: nodes, events, seed.
 */
final class LargeNetworkBenchmark {
  private LargeNetworkBenchmark() {}

  public static void main(String[] arguments) {
    int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    int events = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : 1;
    long start = System.nanoTime();
    SparseNetwork network = new SparseNetwork(nodes, 16, seed);
    report("build", network::build);
    Random random = new Random(seed);
    for (int i = 0; i < events; i++) {
      happen(network, random.nextInt(6));
    }
    System.out.printf(
        Locale.ROOT,
        "%d nodes, %d events: %.1f s, heap %d MB%n",
        nodes,
        events,
        seconds(start),
        Runtime.getRuntime().totalMemory() >> 20);
  }

  private static void happen(SparseNetwork network, int kind) {
    int[] edge = network.treeEdge();
    int[] other = network.otherLink();
    switch (kind) {
      case 0 -> report("tree link lost", () -> network.lose(edge));
      case 1 ->
          report("tree edge worsened", () -> network.reweigh(edge, 3 * network.rttMicros(edge)));
      case 2 -> report("other link improved", () -> network.reweigh(other, 1));
      case 3 -> report("other link worsened", () -> network.reweigh(other, 2_000_000));
      case 4 -> report("other link lost", () -> network.lose(other));
      default -> {
        int node = network.anyNode();
        report("crash", () -> network.crash(node));
        report("restart", () -> network.restart(node));
      }
    }
  }

  private static void report(String event, Supplier<Cost> run) {
    long start = System.nanoTime();
    Cost cost = run.get();
    System.out.printf(
        Locale.ROOT,
        "%-20s %8d messages %8d virtual ms %8.2f s  %s%n",
        event,
        cost.total(),
        cost.millis(),
        seconds(start),
        cost.messages());
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
