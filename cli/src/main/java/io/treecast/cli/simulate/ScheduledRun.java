package io.treecast.cli.simulate;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.RunProgress;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.schedule.ScheduleFormatException;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs of the schedule of {@code treecast simulate} on a new cluster. */
final class ScheduledRun {
  private ScheduledRun() {}

  /**
   * Runs a schedule in virtual time.
   *
   * @param schedule a schedule that fits the network
   * @param network the network without the schedule's initial round trips
   * @param messages receives each control message, and a comment for each event; null for none
   */
  static ScheduleReport of(
      Schedule schedule, Topology network, long seed, @Nullable MessageFile messages) {
    Topology topology = start(schedule, network);
    try (SimCluster cluster = SimCluster.judging(topology, seed, schedule.thresholds()::applyTo)) {
      if (messages == null) {
        return ScheduleRunner.run(cluster, schedule);
      }
      cluster.listenToControl(messages);
      return ScheduleRunner.run(cluster, schedule, (line, leftMillis) -> messages.comment(line));
    } catch (IllegalStateException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Runs a schedule on real agents in real time.
   *
   * @param progress receives a line for each stage and event
   */
  static ScheduleReport live(Schedule schedule, Topology network, RunProgress progress) {
    try (Cluster cluster = start(start(schedule, network), schedule.thresholds())) {
      return ScheduleRunner.run(cluster, schedule, progress);
    } catch (IllegalStateException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the duration on real agents if each tree is built at once. */
  static long liveMillis(Schedule schedule, Topology network) {
    List<Topology> networks = networks(schedule, network);
    return ScheduleRunner.expectedMillis(schedule, networks.get(networks.size() - 1));
  }

  static Schedule read(Path file) {
    try {
      return ScheduleFile.read(file);
    } catch (ScheduleFormatException e) {
      throw CommandFailure.usage("--schedule: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--schedule: file not found: " + file);
    } catch (IOException e) {
      throw CommandFailure.usage("--schedule: " + file + " cannot be read: " + FileReason.of(e));
    }
  }

  /** Returns the network at the schedule's start, and after each change of round trips. */
  static List<Topology> networks(Schedule schedule, Topology network) {
    try {
      return schedule.networks(network);
    } catch (ScheduleFormatException e) {
      throw CommandFailure.usage("--schedule: " + e.getMessage());
    }
  }

  private static Topology start(Schedule schedule, Topology network) {
    try {
      return schedule.checkedFor(network).startOn(network);
    } catch (ScheduleFormatException e) {
      throw CommandFailure.usage("--schedule: " + e.getMessage());
    }
  }

  private static Cluster start(Topology topology, Thresholds thresholds) {
    try {
      return LocalCluster.start(
          topology,
          LocalCluster.Settings.DEFAULT.withSignificance(
              thresholds.applyTo(SignificancePolicy.DEFAULT)));
    } catch (ConfigException e) {
      throw CommandFailure.failed("the agents cannot be started: " + e.getMessage());
    }
  }
}
