package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;

/**
 * Random faults and broadcasts, determined by the seed, as a parameter of a {@link ClusterTest}. A
 * test that fails is repeated with fewer of them.
 *
 * @param schedule the faults and broadcasts
 */
public record RandomFaults(Schedule schedule) {

  /**
   * Applies the schedule to a cluster, and waits until the cluster is at rest or a timeout ends.
   */
  public ScheduleReport applyTo(Cluster cluster) {
    return ScheduleRunner.run(cluster, schedule);
  }

  /** Returns the text of a schedule. */
  @Override
  public String toString() {
    return schedule.toString();
  }
}
