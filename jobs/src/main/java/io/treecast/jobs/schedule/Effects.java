package io.treecast.jobs.schedule;

/**
 * The effects of a scheduler. Implementations return at once and do not call the scheduler.
 *
 * @param <R> the type of results
 */
public interface Effects<R> {
  /** Sends a message to all other participants. */
  void announce(Announcement announcement);

  /**
   * Sends a request to another member. {@link Scheduler#answered} follows in any case, unless the
   * request is {@link Request.Join}.
   */
  void request(String member, Request<R> request);

  /** Completes a job that this member has run. */
  void complete(JobId job, Outcome<R> outcome);

  /** Wakes the workers that found no task. */
  void wakeWorkers();
}
