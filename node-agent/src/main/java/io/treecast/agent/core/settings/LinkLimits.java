package io.treecast.agent.core.settings;

import java.time.Duration;

/**
 * Times and bounds of linking.
 *
 * @param handshakeTimeoutNanos a connection that is not a link by then is closed
 * @param redialMinNanos first pause after a failed dial; doubles with each failure
 * @param redialMaxNanos longest pause
 * @param higherEndGraceNanos how long, of two configured neighbours, the one with the higher id
 *     leaves dialing to the other
 * @param handshakes connections that may be in their handshake at once
 * @param suspendedNanos how long the connection of a silent link is kept
 * @param gatherQuietNanos an agent that has just started takes part in the tree when it has met no
 *     new member for this long
 * @param gatherNanos when it takes part at the latest; sooner, {@code batchNanos} after the tree of
 *     another agent has sent it a message
 * @param batchNanos how long a measured link waits for others that are being measured, before the
 *     tree is told of it
 * @param forgetNanos how long an absent member is remembered, unless it is a configured neighbour;
 *     {@link #MIN_FORGET} to {@link #MAX_FORGET}
 */
public record LinkLimits(
    long handshakeTimeoutNanos,
    long redialMinNanos,
    long redialMaxNanos,
    long higherEndGraceNanos,
    int handshakes,
    long suspendedNanos,
    long gatherQuietNanos,
    long gatherNanos,
    long batchNanos,
    long forgetNanos) {
  /**
   * The least time for which members are remembered: restarts and short partitions are over by
   * then.
   */
  public static final Duration MIN_FORGET = Duration.ofMinutes(1);

  /** Longest time for which members may be remembered. */
  public static final Duration MAX_FORGET = Duration.ofDays(365);

  /**
   * The round trips of a handshake without TLS: to connect, and to send Hello and receive one. TLS
   * takes another one.
   */
  public static final int HANDSHAKE_ROUND_TRIPS = 2;

  /** Opens links of up to five seconds round trip, or 3.3 with TLS: {@link #longestRttNanos}. */
  public static final LinkLimits DEFAULT =
      new LinkLimits(
          10_000_000_000L,
          200_000_000L,
          10_000_000_000L,
          2_000_000_000L,
          1_024,
          20_000_000_000L,
          1_000_000_000L,
          15_000_000_000L,
          2_000_000_000L,
          Duration.ofDays(1).toNanos());

  /** Returns the longest round trip of a link that agents without TLS open. */
  public long longestRttNanos() {
    return handshakeTimeoutNanos / HANDSHAKE_ROUND_TRIPS;
  }

  /** Returns a copy with another handshake timeout. */
  public LinkLimits withHandshakeTimeout(Duration timeout) {
    return new LinkLimits(
        timeout.toNanos(),
        redialMinNanos,
        redialMaxNanos,
        higherEndGraceNanos,
        handshakes,
        suspendedNanos,
        gatherQuietNanos,
        gatherNanos,
        batchNanos,
        forgetNanos);
  }

  /** Returns a copy with another time after which members are forgotten. */
  public LinkLimits withForget(Duration forget) {
    return new LinkLimits(
        handshakeTimeoutNanos,
        redialMinNanos,
        redialMaxNanos,
        higherEndGraceNanos,
        handshakes,
        suspendedNanos,
        gatherQuietNanos,
        gatherNanos,
        batchNanos,
        forget.toNanos());
  }
}
