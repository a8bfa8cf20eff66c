package io.treecast.jobs.schedule;

/**
 * The effects of a scheduler. Implementations return at once and do not call the scheduler.
 *
 * @param <R> the type of results
 */
public interface Effects<R> {
  /** Tells all members that take part, but not this one. */
  void announce(Announcement announcement);

  /**
   * Asks another member; {@link Scheduler#answered} follows in any case, unless the request is
   * {@link Request.Here}.
   */
  void request(String member, Request<R> request);

  /** Ends a job that was run here. */
  void complete(JobId job, Outcome<R> outcome);

  /** Workers that found no task should ask again. */
  void wakeWorkers();
}
