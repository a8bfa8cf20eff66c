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
      builder()
          .handshakeTimeoutNanos(10_000_000_000L)
          .redialMinNanos(200_000_000L)
          .redialMaxNanos(10_000_000_000L)
          .higherEndGraceNanos(2_000_000_000L)
          .handshakes(1_024)
          .suspendedNanos(20_000_000_000L)
          .gatherQuietNanos(1_000_000_000L)
          .gatherNanos(15_000_000_000L)
          .batchNanos(2_000_000_000L)
          .forgetNanos(Duration.ofDays(1).toNanos())
          .build();

  /** Returns the longest round trip of a link that agents without TLS open. */
  public long longestRttNanos() {
    return handshakeTimeoutNanos / HANDSHAKE_ROUND_TRIPS;
  }

  /** Returns a builder; all bounds have to be set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these bounds. */
  public Builder toBuilder() {
    return new Builder()
        .handshakeTimeoutNanos(handshakeTimeoutNanos)
        .redialMinNanos(redialMinNanos)
        .redialMaxNanos(redialMaxNanos)
        .higherEndGraceNanos(higherEndGraceNanos)
        .handshakes(handshakes)
        .suspendedNanos(suspendedNanos)
        .gatherQuietNanos(gatherQuietNanos)
        .gatherNanos(gatherNanos)
        .batchNanos(batchNanos)
        .forgetNanos(forgetNanos);
  }

  /** Builds limits. Each method is named after the bound that it sets. */
  public static final class Builder {
    private long handshakeTimeoutNanos;
    private long redialMinNanos;
    private long redialMaxNanos;
    private long higherEndGraceNanos;
    private int handshakes;
    private long suspendedNanos;
    private long gatherQuietNanos;
    private long gatherNanos;
    private long batchNanos;
    private long forgetNanos;

    private Builder() {}

    public Builder handshakeTimeoutNanos(long value) {
      handshakeTimeoutNanos = value;
      return this;
    }

    public Builder redialMinNanos(long value) {
      redialMinNanos = value;
      return this;
    }

    public Builder redialMaxNanos(long value) {
      redialMaxNanos = value;
      return this;
    }

    public Builder higherEndGraceNanos(long value) {
      higherEndGraceNanos = value;
      return this;
    }

    public Builder handshakes(int value) {
      handshakes = value;
      return this;
    }

    public Builder suspendedNanos(long value) {
      suspendedNanos = value;
      return this;
    }

    public Builder gatherQuietNanos(long value) {
      gatherQuietNanos = value;
      return this;
    }

    public Builder gatherNanos(long value) {
      gatherNanos = value;
      return this;
    }

    public Builder batchNanos(long value) {
      batchNanos = value;
      return this;
    }

    public Builder forgetNanos(long value) {
      forgetNanos = value;
      return this;
    }

    /** Returns the limits. */
    public LinkLimits build() {
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
          forgetNanos);
    }
  }
}
