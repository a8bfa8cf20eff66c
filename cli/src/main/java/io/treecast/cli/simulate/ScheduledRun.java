package io.treecast.cli.simulate;

import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.FileReason;
import io.treecast.cli.console.CommandFailure;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.local.LocalCluster;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.schedule.ScheduleFormatException;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Runs the schedule of {@code treecast simulate} on a cluster of its own. */
final class ScheduledRun {
  private ScheduledRun() {}

  /**
   * Runs it, to the end.
   *
   * @param live on real agents in real time, or else in virtual time
   * @param progress receives a line for each stage and event of a live run
   */
  static ScheduleReport of(
      Topology network, Path file, long seed, boolean live, Consumer<String> progress) {
    Schedule schedule = read(file, network);
    Topology topology = start(schedule, network);
    try (Cluster cluster = live ? start(topology) : new SimCluster(topology, seed)) {
      return live
          ? ScheduleRunner.run(cluster, schedule, progress)
          : ScheduleRunner.run(cluster, schedule);
    } catch (IllegalStateException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
  }

  private static Schedule read(Path file, Topology topology) {
    try {
      return ScheduleFile.read(file).checkedFor(topology);
    } catch (ScheduleFormatException e) {
      throw CommandFailure.usage("--schedule: " + e.getMessage());
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("--schedule: there is no file " + file);
    } catch (IOException e) {
      throw CommandFailure.usage("--schedule: " + file + " can not be read: " + FileReason.of(e));
    }
  }

  private static Topology start(Schedule schedule, Topology network) {
    try {
      return schedule.startOn(network);
    } catch (ScheduleFormatException e) {
      throw CommandFailure.usage("--schedule: " + e.getMessage());
    }
  }

  private static Cluster start(Topology topology) {
    try {
      return LocalCluster.start(topology, LocalCluster.Settings.DEFAULT);
    } catch (ConfigException e) {
      throw CommandFailure.failed("the agents can not be started: " + e.getMessage());
    }
  }
}
