package io.treecast.cli.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A result of {@code treecast doctor} about one subject, with the rules for it. Immutable.
 *
 * @param verdict the verdict
 * @param subject the subject of the check, in one word
 * @param text the result
 * @param advice the action to take; empty if none is needed
 */
record Finding(Verdict verdict, String subject, String text, String advice) {
  /** The severity of a finding. */
  enum Verdict {
    OK,
    /** The agent can run, but an operator should know. */
    WARN,
    FAIL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An agent's process needs some 60 files, and two connections for each neighbour. */
  static final long FEW_FILES = 4_096;

  static final long LEAST_FILES = 256;
  static final long FEW_THREADS = 512;
  static final long LEAST_THREADS = 64;

  /** The memory of a process beside its heap. */
  static final long BESIDE_HEAP_BYTES = 200L << 20;

  private static final Duration EXPIRES_SOON = Duration.ofDays(14);

  /** Tolerated difference of clocks. It matters only for the validity of certificates. */
  private static final Duration CLOCK_OFF = Duration.ofSeconds(60);

  static Finding ok(String subject, String text) {
    return new Finding(Verdict.OK, subject, text, "");
  }

  static Finding warn(String subject, String text, String advice) {
    return new Finding(Verdict.WARN, subject, text, advice);
  }

  static Finding fail(String subject, String text, String advice) {
    return new Finding(Verdict.FAIL, subject, text, advice);
  }

  /** Returns the finding on the limit of open files of the process. */
  static Finding files(long most) {
    return ofLimit("files", most, LEAST_FILES, FEW_FILES, "LimitNOFILE= of the unit, or ulimit -n");
  }

  /** Returns the finding on the limit of threads of the user or the container. */
  static Finding threads(long most) {
    return ofLimit(
        "threads",
        most,
        LEAST_THREADS,
        FEW_THREADS,
        "TasksMax= of the unit, pids of the container, or ulimit -u");
  }

  private static Finding ofLimit(String subject, long most, long least, long few, String where) {
    String text = "at most " + most;
    String advice = "raise the limit to " + few + " or more: " + where;
    if (most < least) {
      return fail(subject, text, advice);
    }
    return most < few ? warn(subject, text, advice) : ok(subject, text);
  }

  /**
   * Returns the finding on the memory of the machine or the container.
   *
   * @param totalBytes the total memory
   * @param heapBytes the largest size of the heap
   */
  static Finding memory(long totalBytes, long heapBytes) {
    String text =
        (totalBytes >> 20) + " MiB, of which the heap may take " + (heapBytes >> 20) + " MiB";
    return totalBytes < heapBytes + BESIDE_HEAP_BYTES
        ? warn(
            "memory",
            text,
            "the process takes up to 200 MiB beside the heap: lower -Xmx in TREECAST_JAVA_OPTS, or"
                + " give it more")
        : ok("memory", text);
  }

  /** Returns the finding on the expiry of a certificate. */
  static Finding certificate(Instant expires, Instant now) {
    String text = "it expires on " + expires;
    if (now.isAfter(expires)) {
      return fail("certificate", "it has expired, on " + expires, "replace it and its key");
    }
    return now.plus(EXPIRES_SOON).isAfter(expires)
        ? warn("certificate", text, "renew it; the agent uses a new one without a restart")
        : ok("certificate", text);
  }

  /**
   * Returns the finding on the difference between this clock and that of another agent's machine.
   *
   * @param aheadMillis positive if the clock here is ahead
   */
  static Finding clock(String other, long aheadMillis) {
    Duration off = Duration.ofMillis(Math.abs(aheadMillis));
    String text =
        off.toMillis() < 2_000
            ? "agrees with that of " + other
            : off.toSeconds()
                + " s "
                + (aheadMillis > 0 ? "ahead of" : "behind")
                + " that of "
                + other;
    return off.compareTo(CLOCK_OFF) > 0
        ? warn(
            "clock",
            text,
            "synchronize the clocks of both machines: certificates are judged by them")
        : ok("clock", text);
  }
}
