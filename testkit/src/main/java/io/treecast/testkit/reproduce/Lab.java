package io.treecast.testkit.reproduce;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.compare.MinimumTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
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
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the change sets on agents in virtual time, each once: what has been run is remembered.
 * Thread-safe.
 */
public final class Lab {
  /** Most runs of an experiment. */
  public static final int MAX_RUNS = 100;

  /** On real agents round trips vary by themselves, so that not every change is one of the link. */
  private static final Thresholds LIVE =
      new Thresholds(null, BigDecimal.ONE, BigDecimal.valueOf(50), null);

  /** Starts the clusters of runs in real time. */
  public interface LiveClusters {
    /** Starts agents on a network, which take changes beyond these thresholds for significant. */
    Cluster start(Topology network, Thresholds thresholds);
  }

  private final long seed;
  private final int runs;
  private final @Nullable LiveClusters live;
  private final ConcurrentHashMap<String, SetRun> done = new ConcurrentHashMap<>();

  /**
   * A laboratory.
   *
   * @param seed of the first run; the others have those that follow
   * @param runs of which each figure is the mean, 1 to {@value #MAX_RUNS}
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

  /** Returns the shipped change set of that name, such as {@code C1}. */
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
   * @param network on which; null for that of the schedule
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
    Topology topology = ReferenceNetwork.named(network == null ? ReferenceNetwork.NAME : network);
    try {
      List<Topology> networks = schedule.checkedFor(topology).networks(topology);
      try (Cluster cluster = start(networks.get(0), schedule.thresholds(), seed)) {
        ScheduleReport report = ScheduleRunner.run(cluster, schedule);
        return new SetRun(schedule, networks, report);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Cluster start(Topology network, Thresholds thresholds, long seed) {
    LiveClusters real = live;
    return real == null
        ? SimCluster.judging(network, seed, thresholds::applyTo)
        : real.start(network, LIVE.orElse(thresholds));
  }

  /** Returns how many edges of the minimum spanning tree are others after the changes. */
  static long edgesByValues(Topology before, Topology after) {
    List<String> kept = MinimumTree.of(after).stream().map(Lab::name).toList();
    return MinimumTree.of(before).stream()
        .map(Lab::name)
        .filter(edge -> !kept.contains(edge))
        .count();
  }

  /** For example {@code 4-6}. */
  static String name(Topology.Link edge) {
    return edge.low() + "-" + edge.high();
  }
}
