package io.treecast.testkit.reproduce;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.compare.MinimumTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.RunProgress;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.sim.SimCluster;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs the change sets on agents, each once; results are cached. Thread-safe. */
public final class Lab {
  /** Limit of the runs of an experiment. */
  public static final int MAX_RUNS = 100;

  /** Starts the clusters of runs in real time. */
  public interface LiveClusters {
    /** Starts agents on a network with these thresholds for significant changes. */
    Cluster start(Topology network, Thresholds thresholds);

    /** Returns the receiver of the progress of the runs. */
    RunProgress progress();
  }

  private final long seed;
  private final int runs;
  private final @Nullable LiveClusters live;
  private final ConcurrentHashMap<String, SetRun> done = new ConcurrentHashMap<>();

  /** Shortcomings of the figures of runs in real time, a line for people each. */
  private final Queue<String> shortcomings = new ConcurrentLinkedQueue<>();

  /**
   * Creates a laboratory in virtual time.
   *
   * @param seed the seed of the first run; the next runs have the next seeds
   * @param runs the number of runs of which each figure is the mean, 1 to {@value #MAX_RUNS}
   */
  public Lab(long seed, int runs) {
    this(seed, runs, null);
  }

  private Lab(long seed, int runs, @Nullable LiveClusters live) {
    if (runs < 1 || runs > MAX_RUNS) {
      throw new IllegalArgumentException(runs + " runs; allowed are 1 to " + MAX_RUNS);
    }
    this.seed = seed;
    this.runs = runs;
    this.live = live;
  }

  /** Returns a laboratory of real agents, in real time: each experiment runs once. */
  public static Lab live(LiveClusters clusters) {
    return new Lab(0, 1, clusters);
  }

  /** Returns the duration of a schedule on real agents if each tree is built at once. */
  static long liveMillis(Schedule schedule) {
    List<Topology> networks = networks(schedule, schedule.network());
    return ScheduleRunner.expectedMillis(schedule, networks.get(networks.size() - 1));
  }

  /**
   * Returns the shortcomings of the figures so far, a line for people each; empty in virtual time.
   */
  public List<String> shortcomings() {
    return List.copyOf(shortcomings);
  }

  /** Returns a shipped change set by its name, such as {@code C1}. */
  public static Schedule set(String name) {
    String resource = "set-" + name + ".txt";
    try (InputStream in = Lab.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is missing beside " + Lab.class);
      }
      return ScheduleFile.read(resource, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs a schedule once for each seed.
   *
   * @param network the name of the network; null for that of the schedule
   */
  List<SetRun> run(Schedule schedule, @Nullable String network) {
    String on = network == null ? schedule.network() : network;
    return LongStream.range(seed, seed + runs)
        .mapToObj(
            each ->
                done.computeIfAbsent(
                    schedule.name() + "\n" + on + "\n" + each + "\n" + schedule,
                    key -> once(schedule, on, each)))
        .toList();
  }

  private SetRun once(Schedule schedule, @Nullable String network, long seed) {
    List<Topology> networks = networks(schedule, network);
    LiveClusters real = live;
    if (real != null) {
      return inRealTime(real, schedule, networks);
    }
    try (Cluster cluster =
        SimCluster.judging(networks.get(0), seed, schedule.thresholds()::applyTo)) {
      return new SetRun(schedule, networks, ScheduleRunner.run(cluster, schedule));
    }
  }

  private SetRun inRealTime(LiveClusters real, Schedule schedule, List<Topology> networks) {
    try (Cluster cluster = real.start(networks.get(0), schedule.thresholds().forRealTime())) {
      ScheduleReport report = ScheduleRunner.run(cluster, schedule, real.progress());
      if (report.notAtRest() != null) {
        shortcomings.add(
            schedule.name()
                + ": not at rest "
                + report.restBoundMillis() / 1_000
                + " s after the last event: "
                + report.notAtRest());
      }
      if (report.skipped() > 0) {
        shortcomings.add(
            "%s: %s events could not be applied and were skipped"
                .formatted(schedule.name(), report.skipped()));
      }
      return new SetRun(schedule, networks, report);
    }
  }

  private static List<Topology> networks(Schedule schedule, @Nullable String network) {
    Topology topology = ReferenceNetwork.named(network == null ? ReferenceNetwork.NAME : network);
    try {
      return schedule.checkedFor(topology).networks(topology);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number of edges of the minimum spanning tree that the changes replace. */
  static long edgesByValues(Topology before, Topology after) {
    List<String> kept = MinimumTree.of(after).stream().map(Lab::name).toList();
    return MinimumTree.of(before).stream()
        .map(Lab::name)
        .filter(edge -> !kept.contains(edge))
        .count();
  }

  /** Returns an edge as text, for example {@code 4-6}. */
  static String name(Topology.Link edge) {
    return edge.low() + "-" + edge.high();
  }
}
