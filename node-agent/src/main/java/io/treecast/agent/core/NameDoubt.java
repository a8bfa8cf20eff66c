package io.treecast.agent.core;

import java.util.concurrent.TimeUnit;

/**
 * Whether the other end of a link is still there, since somebody else has come with its name: it
 * was asked, and what arrives later than it can have been under way when it was asked answers. A
 * host that is dead does not answer, and its link is suspended; then its name is free.
 *
 * <p>Owned by the agent's thread.
 */
final class NameDoubt {
  /** Whoever comes again does so a few times by then; who comes later has it asked anew. */
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long sinceNanos;
  private final long underWayNanos;
  private boolean answered;

  NameDoubt(long rttMicros, long nowNanos) {
    this.sinceNanos = nowNanos;
    this.underWayNanos = TimeUnit.MICROSECONDS.toNanos(rttMicros) / 2;
  }

  /** Something has arrived from the other end. */
  void heard(long nowNanos) {
    answered |= nowNanos - sinceNanos > underWayNanos;
  }

  /** Whether it is still there. */
  boolean isAnswered() {
    return answered;
  }

  /** Whether that was too long ago to say anything of now. */
  boolean isOver(long nowNanos) {
    return nowNanos - sinceNanos > VALID_NANOS;
  }
}
