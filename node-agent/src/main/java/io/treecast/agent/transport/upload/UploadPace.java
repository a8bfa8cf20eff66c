package io.treecast.agent.transport.upload;

import io.treecast.agent.transport.connection.TcpSocket;
import io.treecast.agent.transport.connection.TcpSocket.Measurements;

/**
 * The rate at which the connections of a data stream send uploads over a long link. Congestion
 * control fills the queue at the narrowest place of the link, and each small message waits there. A
 * sender that sends a little less than it could keeps that queue short, at nearly the same
 * throughput.
 *
 * <p>A queue shows in the round trip, as in TCP Vegas (Brakmo and Peterson, 1995, section 3.2):
 *
 * <ol>
 *   <li>Nothing is limited until the round trip is longer than the shortest one. The rate of
 *       acknowledgements then is this stream's share of the link.
 *   <li>The pace starts well below that share, until the round trip gets no shorter. The round trip
 *       of that time is the base: it includes what a busy machine adds.
 *   <li>From then on the pace grows in small steps while the round trip stays near the base, and
 *       falls when it is longer. It never falls far below the share. The second step is repeated
 *       every few seconds, and when the link carries less than the pace.
 *   <li>A queue that stays long at the lowest pace belongs to other traffic, which would use what
 *       this stream leaves. The pace ends for a while.
 * </ol>
 *
 * <p>Owned by the agent's loop.
 */
final class UploadPace {
  /** The shortest time between two samples, which are at least a round trip apart. */
  static final long SAMPLED_NANOS = 50_000_000;

  /** The time without a pace after one that did not shorten the queue. */
  static final long PAUSE_NANOS = 60_000_000_000L;

  /** After a period of this length, and of some round trips, the base is measured again. */
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private static final int PERIOD_ROUND_TRIPS = 30;

  /** The part of the base that a queue may last. */
  private static final int QUEUE_PARTS = 5;

  /** The samples with a long queue before the pace begins, or begins again on a slower link. */
  private static final int LONG_QUEUES = 2;

  /** The samples after a reduction until its effect shows. */
  private static final int EFFECT_SAMPLES = 3;

  /** The samples of a period with a long queue at the lowest pace after which the pace ends. */
  private static final int VAIN_SAMPLES = 6;

  private static final double DRAINING = 0.75;
  private static final double LOWEST = 0.7;
  private static final double REDUCTION = 0.9;

  /**
   * The share does not fall faster than by this factor in a period: what a low pace carries says
   * little about the link.
   */
  private static final double LOSS_OF_SHARE = 0.9;

  private static final double GROWTH = 1.04;

  /** The part of the pace that must be used for it to grow. */
  private static final double USED = 0.8;

  /** A round trip that is at most this part of the last one gets shorter. */
  private static final double SHORTER = 0.97;

  private enum Stage {
    UNLIMITED,
    DRAINING,
    STEADY
  }

  private Stage stage = Stage.UNLIMITED;
  private long bytesPerSecond = TcpSocket.UNLIMITED;
  private long retryNanos = Long.MIN_VALUE;

  // The last sample.
  private boolean sampled;
  private long sampledNanos;
  private long rttMicros;
  private long ackedBytes;

  /** Consecutive samples with a long queue before the pace begins. */
  private int longQueues;

  /** Consecutive samples with a long queue in which the link carried less than the pace. */
  private int slowSamples;

  /** Samples of this period with a long queue at the lowest pace. */
  private int vainSamples;

  private int samplesUntilEffect;

  // The present period, and the highest rate of the last one.
  private long periodNanos;
  private double rate;
  private double rateBefore;
  private long baseMicros;

  /** Returns whether the next sample is due. */
  boolean isDue(long nowNanos) {
    return !sampled || nowNanos - sampledNanos >= Math.max(SAMPLED_NANOS, rttMicros * 1_000);
  }

  /** Returns the pace in bytes per second; {@link TcpSocket#UNLIMITED} without one. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Takes a sample that is due; returns whether the pace has changed. */
  boolean take(Measurements now, long nowNanos) {
    long before = bytesPerSecond;
    double rateNow = (now.ackedBytes() - ackedBytes) * 1e9 / Math.max(1, nowNanos - sampledNanos);
    boolean getsShorter = now.smoothedRttMicros() <= rttMicros * SHORTER;
    boolean isFirst = !sampled;
    sampled = true;
    sampledNanos = nowNanos;
    rttMicros = now.smoothedRttMicros();
    ackedBytes = now.ackedBytes();
    if (now.minRttMicros() * 1_000 < ConnectionCount.LONG_NANOS) {
      end(Long.MIN_VALUE);
    } else if (!isFirst && rateNow > 0) {
      switch (stage) {
        case UNLIMITED -> {
          if (hasQueue(rateNow, now.minRttMicros(), nowNanos)) {
            drain();
          }
        }
        case DRAINING -> {
          if (!getsShorter || !isLong(now.minRttMicros())) {
            beginPeriod(nowNanos);
          }
        }
        case STEADY -> adapt(rateNow, nowNanos);
      }
    }
    return bytesPerSecond != before;
  }

  private boolean hasQueue(double rateNow, long minRttMicros, long nowNanos) {
    longQueues = isLong(minRttMicros) && nowNanos >= retryNanos ? longQueues + 1 : 0;
    rate = longQueues == 1 ? rateNow : Math.max(rate, rateNow);
    return longQueues == LONG_QUEUES;
  }

  private void drain() {
    stage = Stage.DRAINING;
    bytesPerSecond = (long) (share() * DRAINING) + 1;
    rateBefore = Math.max(rate, rateBefore * LOSS_OF_SHARE);
    rate = 0;
  }

  private void beginPeriod(long nowNanos) {
    stage = Stage.STEADY;
    vainSamples = 0;
    slowSamples = 0;
    samplesUntilEffect = 0;
    periodNanos = nowNanos;
    baseMicros = rttMicros;
  }

  private void adapt(double rateNow, long nowNanos) {
    rate = Math.max(rate, rateNow);
    baseMicros = Math.min(baseMicros, rttMicros);
    if (nowNanos - periodNanos >= Math.max(PERIOD_NANOS, PERIOD_ROUND_TRIPS * rttMicros * 1_000)) {
      drain();
      return;
    }
    if (!isLong(baseMicros)) {
      samplesUntilEffect = 0;
      slowSamples = 0;
      if (rateNow >= bytesPerSecond * USED) {
        bytesPerSecond = (long) (bytesPerSecond * GROWTH) + 1;
      }
      return;
    }
    slowSamples = rateNow < bytesPerSecond * USED ? slowSamples + 1 : 0;
    double lowest = share() * LOWEST;
    if (slowSamples == LONG_QUEUES) {
      rate = rateNow;
      rateBefore = 0;
      drain();
    } else if (bytesPerSecond <= lowest + 1 && ++vainSamples == VAIN_SAMPLES) {
      end(nowNanos + PAUSE_NANOS);
    } else if (samplesUntilEffect > 0) {
      samplesUntilEffect--;
    } else {
      samplesUntilEffect = EFFECT_SAMPLES;
      bytesPerSecond = (long) Math.max(lowest, bytesPerSecond * REDUCTION) + 1;
    }
  }

  private void end(long retryAtNanos) {
    stage = Stage.UNLIMITED;
    bytesPerSecond = TcpSocket.UNLIMITED;
    longQueues = 0;
    retryNanos = retryAtNanos;
  }

  private double share() {
    return Math.max(rate, rateBefore);
  }

  /** Returns whether the last round trip is much longer than one without queues. */
  private boolean isLong(long withoutQueueMicros) {
    return rttMicros - withoutQueueMicros > withoutQueueMicros / QUEUE_PARTS;
  }
}
