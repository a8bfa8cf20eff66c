package io.treecast.jobs.schedule;

import java.util.Comparator;

/**
 * Names a job in the whole cluster.
 *
 * @param incarnation of the scheduler at which it was run
 * @param number which job of that scheduler
 */
public record JobId(long incarnation, long number) implements Comparable<JobId> {
  private static final Comparator<JobId> ORDER =
      Comparator.comparingLong(JobId::incarnation).thenComparingLong(JobId::number);

  @Override
  public int compareTo(JobId other) {
    return ORDER.compare(this, other);
  }
}
