package io.treecast.testkit.junit;

import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;

/**
 * Faults and broadcasts that a seed draws, as a parameter of a {@link ClusterTest}. When the test
 * fails it is tried again with fewer of them.
 *
 * @param schedule what happens
 */
public record RandomFaults(Schedule schedule) {

  /** Lets all of it happen to a cluster, which is at rest afterwards if it can be. */
  public ScheduleReport applyTo(Cluster cluster) {
    return ScheduleRunner.run(cluster, schedule);
  }

  /** Returns the text of a schedule. */
  @Override
  public String toString() {
    return schedule.toString();
  }
}
