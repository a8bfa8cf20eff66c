package io.treecast.jobs.schedule;

import java.util.Comparator;

/**
 * The identity of a job in the whole cluster.
 *
 * @param incarnation the incarnation of the scheduler that runs the job
 * @param number the number of the job at that scheduler
 */
public record JobId(long incarnation, long number) implements Comparable<JobId> {
  private static final Comparator<JobId> ORDER =
      Comparator.comparingLong(JobId::incarnation).thenComparingLong(JobId::number);

  @Override
  public int compareTo(JobId other) {
    return ORDER.compare(this, other);
  }
}
