package io.treecast.agent.core.path;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.PathProbe;
import org.jspecify.annotations.Nullable;

/** One path of a control stream: its connection, and the round trips of its probes. */
final class Path {
  static final long NEVER = Long.MAX_VALUE;

  /** The number of recent probes whose least round trip counts as the path's. */
  private static final int WINDOW = 3;

  /** The probe interval of a new path, or of one that has become slower. */
  private static final long BRISK_NANOS = 200_000_000;

  /** The probe interval of all other paths. */
  static final long CALM_NANOS = 20_000_000_000L;

  /** A path is silent if a probe is unanswered for this time plus two round trips. */
  static final long SILENT_NANOS = 2_000_000_000;

  /** The first pause before a failed path is dialed again; it doubles with each failure. */
  private static final long FIRST_PAUSE_NANOS = 2_000_000_000;

  private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

  /** The longest pause of a path that has never worked; there may be no route to its network. */
  private static final long LONGEST_PAUSE_UNPROVEN_NANOS = 600_000_000_000L;

  final String address;
  String network;
  @Nullable Connection<PeerMessage> connection;

  /** Whether the path is established, so that it can carry the stream. */
  boolean joined;

  /** When a message last arrived on the path. */
  long lastReceivedNanos = Long.MIN_VALUE;

  /**
   * Without a connection: when to dial the path. With one, before it has joined: when to abandon
   * it.
   */
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

  /** Marks the path as established, and starts its measurement if this end measures. */
  void join(boolean isMeasured, long nowNanos) {
    joined = true;
    proven = true;
    failures = 0;
    samples = 0;
    dueNanos = NEVER;
    lastReceivedNanos = nowNanos;
    probedNanos = NEVER;
    brisk = isMeasured ? WINDOW : 0;
    nextProbeNanos = isMeasured ? nowNanos : NEVER;
  }

  /** Notes that the connection was lost, and schedules the next dial. */
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

  /** Handles the reply to a probe. Replies to earlier probes are ignored. */
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

  /** Returns the minimum of the recent round trips; {@link #NEVER} before the first. */
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

  /** Returns whether the answer to the last probe is overdue. */
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

  /**
   * Returns whether a message has arrived on this path since the unanswered probe of a silent path.
   */
  boolean hasReceivedSinceProbeOf(Path silent) {
    return joined && lastReceivedNanos >= silent.probedNanos;
  }

  long nextDeadlineNanos() {
    return joined ? Math.min(nextProbeNanos, silentAtNanos()) : dueNanos;
  }
}
