package io.treecast.jobs.schedule;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** A message to all other participants. */
public sealed interface Announcement {
  /** Returns the job of this announcement. */
  JobId job();

  /**
   * The job runs. Its owner repeats this while it does; each receiver replies with {@link
   * Request.Join}.
   *
   * @param members the participants that the owner of the job knows
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

  /** The job has ended; its tasks are no longer needed. */
  record Ended(JobId job) implements Announcement {}

  /** A member has found a better value. */
  record Improved(JobId job, long best) implements Announcement {}
}
