package io.treecast.monitor.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The heartbeats of one link in virtual time: the owner's probes, the other end's replies, and a
 * {@link SilenceDetector} at each end. Either direction is an ordered stream. All times are
 * nanoseconds after the link came up.
 */
final class HeartbeatSimulation {
  /** The treatment of lost messages. */
  enum Loss {
    /**
     * Sent again after 200 ms and the round trip, twice that at the next loss; later messages wait.
     */
    RETRANSMITTED,
    /** Dropped; later messages do not wait. */
    DROPPED
  }

  private static final long RETRANSMISSION_BASE_NANOS = 200_000_000;

  /** One end, with its detector and its history. */
  static final class End {
    final SilenceDetector detector;
    private long pauseFromNanos = Long.MAX_VALUE;
    private long pauseToNanos = Long.MAX_VALUE;
    private long noticedGapNanos;
    private boolean pauseHandled;

    /** The times at which it gave up the other end. */
    final List<Long> verdictsNanos = new ArrayList<>();

    private End(SilencePolicy policy) {
      this.detector = new SilenceDetector(policy, 0);
    }

    /** Returns when it handles an event of that time. */
    private long handledAt(long atNanos) {
      return atNanos >= pauseFromNanos && atNanos < pauseToNanos ? pauseToNanos : atNanos;
    }

    private void hears(long atNanos) {
      judge(atNanos);
      detector.received(atNanos);
    }

    /** Advances time. */
    void judge(long nowNanos) {
      if (!pauseHandled && nowNanos >= pauseToNanos) {
        pauseHandled = true;
        if (detector.silentAtNanos() < pauseFromNanos) {
          verdictsNanos.add(detector.silentAtNanos());
        }
        detector.paused(noticedGapNanos, pauseToNanos);
      }
      if (detector.isSilent(nowNanos)) {
        verdictsNanos.add(detector.silentAtNanos());
      }
    }

    /** Pauses the process; its event loop notices a part of the pause. */
    void pause(Duration from, Duration length, Duration noticed) {
      pauseFromNanos = from.toNanos();
      pauseToNanos = from.plus(length).toNanos();
      noticedGapNanos = noticed.toNanos();
    }
  }

  private final class Direction {
    private long blockedUntilNanos;
    private long cutFromNanos = Long.MAX_VALUE;

    /** Returns the arrival of a message sent at that time; -1 if it never arrives. */
    private long arrival(long sentNanos) {
      if (sentNanos >= cutFromNanos) {
        return -1;
      }
      long delayNanos = rttNanos / 2 + (long) (jitterNanos * random.nextDouble());
      long timeoutNanos = RETRANSMISSION_BASE_NANOS + rttNanos;
      while (sentNanos >= lossFromNanos
          && sentNanos < lossToNanos
          && random.nextDouble() < lossShare) {
        if (loss == Loss.DROPPED) {
          return -1;
        }
        delayNanos += timeoutNanos;
        timeoutNanos *= 2;
      }
      blockedUntilNanos = Math.max(blockedUntilNanos, sentNanos + delayNanos);
      return blockedUntilNanos;
    }
  }

  private final Random random;
  private final long intervalNanos;
  private final long rttNanos;
  private final Direction toOther = new Direction();
  private final Direction toOwner = new Direction();
  final End owner;
  final End other;
  private Loss loss = Loss.RETRANSMITTED;
  private double lossShare;
  private long lossFromNanos;
  private long lossToNanos = Long.MAX_VALUE;
  private long jitterNanos;
  private long nextProbeNanos;

  HeartbeatSimulation(SilencePolicy policy, Duration rtt, long seed) {
    this.random = new Random(seed);
    this.intervalNanos = policy.heartbeatInterval().toNanos();
    this.rttNanos = rtt.toNanos();
    this.owner = new End(policy);
    this.other = new End(policy);
  }

  /** Loses the given share of the messages of both directions in a period. */
  void lose(Loss how, double share, Duration from, Duration to) {
    loss = how;
    lossShare = share;
    lossFromNanos = from.toNanos();
    lossToNanos = to.toNanos();
  }

  /** Delays each message by a random time below the given one. */
  void jitter(Duration most) {
    jitterNanos = most.toNanos();
  }

  /** Drops all messages of the owner from then on. */
  void cutToOther(Duration from) {
    toOther.cutFromNanos = from.toNanos();
  }

  /** Drops all messages of the other end from then on. */
  void cutToOwner(Duration from) {
    toOwner.cutFromNanos = from.toNanos();
  }

  /** Sends all probes that are due before then, and delivers them and their replies. */
  void runUntil(Duration end) {
    while (nextProbeNanos < end.toNanos()) {
      long sentNanos = owner.handledAt(nextProbeNanos);
      nextProbeNanos += intervalNanos * ((sentNanos - nextProbeNanos) / intervalNanos + 1);
      long probeNanos = toOther.arrival(sentNanos);
      if (probeNanos < 0) {
        continue;
      }
      probeNanos = other.handledAt(probeNanos);
      other.hears(probeNanos);
      long replyNanos = toOwner.arrival(probeNanos);
      if (replyNanos >= 0) {
        owner.hears(owner.handledAt(replyNanos));
      }
    }
  }
}
