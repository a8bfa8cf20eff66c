package io.treecast.collectives.claim;

/**
 * The reports of {@link Claims} to applications and the disk. They are called on its thread, inside
 * the event that causes them, and must not call it back.
 */
public interface ClaimEvents {
  /** The events of a member that never votes, and whose applications use no claims. */
  ClaimEvents NONE =
      new ClaimEvents() {
        @Override
        public void store(ClaimMemory memory) {}

        @Override
        public void held(long call, long number, long fence, long remainingNanos) {}

        @Override
        public void ended(long call, ClaimEnd end) {}

        @Override
        public void answered(long inquiry, ClaimState state) {}
      };

  /**
   * Stores the memory that must survive a restart, and then calls {@link Claims#stored}; never
   * calls it if the memory cannot be stored. A later memory replaces an earlier one.
   */
  void store(ClaimMemory memory);

  /**
   * Reports that a call holds its claim, in answer to {@link Claims#acquire} or {@link
   * Claims#renew}.
   *
   * @param number the number of the renewal; 0 for acquire
   * @param fence the fencing number
   * @param remainingNanos how long the caller holds the claim, counted from its request
   */
  void held(long call, long number, long fence, long remainingNanos);

  /** Reports that a call does not hold its claim, and never will; once, unless it was released. */
  void ended(long call, ClaimEnd end);

  /** Answers {@link Claims#inquire}. */
  void answered(long inquiry, ClaimState state);
}
