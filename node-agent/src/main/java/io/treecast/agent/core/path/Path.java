package io.treecast.agent.core.path;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.PathProbe;
import org.jspecify.annotations.Nullable;

/** One path of a control stream: its connection, and what its probes show. */
final class Path {
  static final long NEVER = Long.MAX_VALUE;

  /** A path is judged by the least round trip of so many probes. */
  private static final int WINDOW = 3;

  /** The interval of the probes of a new path, or of one that has become slower. */
  private static final long BRISK_NANOS = 200_000_000;

  /** The interval of all others. */
  static final long CALM_NANOS = 20_000_000_000L;

  /** A probe without a reply for so long, and for two round trips, is one of a silent path. */
  static final long SILENT_NANOS = 2_000_000_000;

  /** The first pause before a path that failed is dialed again; it doubles each time. */
  private static final long FIRST_PAUSE_NANOS = 2_000_000_000;

  private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

  /** The longest pause of a path that has never worked: its network may not be routed. */
  private static final long LONGEST_PAUSE_UNPROVEN_NANOS = 600_000_000_000L;

  final String address;
  String network;
  @Nullable Connection<PeerMessage> connection;

  /** Whether it carries the stream, or may. */
  boolean joined;

  /** When something last arrived on it. */
  long heardNanos = Long.MIN_VALUE;

  /** While it has no connection: when it is dialed; before it has joined: when it is given up. */
  long dueNanos = NEVER;

  private boolean proven;
  private int failures;
  private final long[] window = new long[WINDOW];
  private int samples;
  private int brisk;
  private long lastProbe;
  private long probedNanos = NEVER;
  private long nextProbeNanos = NEVER;

  Path(String network, String address) {
    this.network = network;
    this.address = address;
  }

  void send(PeerMessage message) {
    Connection<PeerMessage> open = connection;
    if (open != null) {
      open.send(message);
    }
  }

  /** It works from now on; an end that measures it begins to. */
  void join(boolean isMeasured, long nowNanos) {
    joined = true;
    proven = true;
    failures = 0;
    samples = 0;
    dueNanos = NEVER;
    heardNanos = nowNanos;
    probedNanos = NEVER;
    brisk = isMeasured ? WINDOW : 0;
    nextProbeNanos = isMeasured ? nowNanos : NEVER;
  }

  /** Its connection is gone; it is dialed again after a pause. */
  void failed(long nowNanos) {
    connection = null;
    joined = false;
    probedNanos = NEVER;
    nextProbeNanos = NEVER;
    long longest = proven ? LONGEST_PAUSE_NANOS : LONGEST_PAUSE_UNPROVEN_NANOS;
    dueNanos = nowNanos + Math.min(longest, FIRST_PAUSE_NANOS << Math.min(failures, 20));
    failures++;
  }

  void probe(long received, long nowNanos) {
    send(new PathProbe(++lastProbe, received));
    probedNanos = nowNanos;
    nextProbeNanos = NEVER;
  }

  /** Handles the reply to a probe; those to earlier ones only show that the path works. */
  void replied(long number, boolean isMeasured, long nowNanos) {
    if (number != lastProbe || probedNanos == NEVER) {
      return;
    }
    long rttNanos = nowNanos - probedNanos;
    probedNanos = NEVER;
    if (isMeasured && samples >= WINDOW && brisk == 0 && rttNanos > rttNanos() * 3 / 2) {
      brisk = WINDOW;
    }
    window[samples++ % WINDOW] = rttNanos;
    if (samples >= 2 * WINDOW) {
      samples -= WINDOW;
    }
    brisk = Math.max(0, brisk - 1);
    nextProbeNanos = isMeasured ? nowNanos + (brisk > 0 ? BRISK_NANOS : CALM_NANOS) : NEVER;
  }

  boolean isMeasured() {
    return samples >= WINDOW && brisk == 0;
  }

  /** Returns the least recent round trip; {@link #NEVER} before the first. */
  long rttNanos() {
    long least = NEVER;
    for (int i = 0; i < Math.min(samples, WINDOW); i++) {
      least = Math.min(least, window[i]);
    }
    return least;
  }

  boolean isProbeDue(long nowNanos) {
    return joined && nextProbeNanos <= nowNanos;
  }

  /** Returns whether its last probe should have been answered by now. */
  boolean isSilent(long nowNanos) {
    return joined && silentAtNanos() <= nowNanos;
  }

  private long silentAtNanos() {
    if (probedNanos == NEVER) {
      return NEVER;
    }
    long rttNanos = rttNanos();
    return probedNanos + SILENT_NANOS + (rttNanos == NEVER ? 0 : 2 * rttNanos);
  }

  /** Returns whether something has arrived on it since another path was probed in vain. */
  boolean isHeardSinceProbeOf(Path silent) {
    return joined && heardNanos >= silent.probedNanos;
  }

  long nextDeadlineNanos() {
    return joined ? Math.min(nextProbeNanos, silentAtNanos()) : dueNanos;
  }
}
