package io.treecast.cli.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * A result of {@code treecast doctor} about one subject, with the rules for it. Immutable.
 *
 * @param verdict whether an agent can live with it
 * @param subject what was looked at, in one word
 * @param text what was found
 * @param advice what to do; empty if nothing is to be done
 */
record Finding(Verdict verdict, String subject, String text, String advice) {
  /** Whether an agent can live with it. */
  enum Verdict {
    OK,
    /** It can, and somebody should know. */
    WARN,
    FAIL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A process of an agent needs some 60 files, and two connections for each neighbour. */
  static final long FEW_FILES = 4_096;

  static final long LEAST_FILES = 256;
  static final long FEW_THREADS = 512;
  static final long LEAST_THREADS = 64;

  /** The memory of a process beside its heap. */
  static final long BESIDE_HEAP_BYTES = 200L << 20;

  private static final Duration EXPIRES_SOON = Duration.ofDays(14);

  /** Certificates are judged by the clock; nothing else of an agent goes by it. */
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

  /** How many files the process may open. */
  static Finding files(long most) {
    return ofLimit("files", most, LEAST_FILES, FEW_FILES, "LimitNOFILE= of the unit, or ulimit -n");
  }

  /** How many threads the user or the container may have. */
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
   * The memory of the machine or the container.
   *
   * @param totalBytes all of it
   * @param heapBytes how large the heap may become
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

  /** When a certificate expires. */
  static Finding certificate(Instant expires, Instant now) {
    String text = "it expires on " + expires;
    if (now.isAfter(expires)) {
      return fail(
          "certificate", "it has expired, on " + expires, "put a new one there, with its key");
    }
    return now.plus(EXPIRES_SOON).isAfter(expires)
        ? warn("certificate", text, "have it renewed; the agent takes a new one without a restart")
        : ok("certificate", text);
  }

  /**
   * By how much the clock differs from that of another agent's machine.
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
