package io.treecast.jobs;

/** A task failed at a member, or the member left its jobs before the job had ended. */
public final class JobFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JobFailedException(String message) {
    super(message);
  }
}
