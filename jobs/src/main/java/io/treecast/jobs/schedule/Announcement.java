package io.treecast.jobs.schedule;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** A message of a member to all members that take part. */
public sealed interface Announcement {
  /** Returns the job that it is about. */
  JobId job();

  /**
   * The job runs. Repeated while it does; each receiver replies with {@link Request.Here}.
   *
   * @param members those that take part, as far as the owner of the job knows
   * @param best the best value so far
   */
  record Running(JobId job, SortedSet<String> members, long best) implements Announcement {
    /** Copies the members. */
    public Running {
      if (members.size() > Scheduler.MAX_MEMBERS) {
        throw new IllegalArgumentException(
            members.size() + " members; allowed are " + Scheduler.MAX_MEMBERS);
      }
      members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
  }

  /** The job has ended; its tasks need no longer be run. */
  record Ended(JobId job) implements Announcement {}

  /** A member found a better value. */
  record Improved(JobId job, long best) implements Announcement {}
}
