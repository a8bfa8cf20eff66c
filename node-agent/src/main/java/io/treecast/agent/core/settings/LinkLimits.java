package io.treecast.agent.core.settings;

import java.time.Duration;

/**
 * Times and limits of links.
 *
 * @param handshakeTimeoutNanos the time within which a connection must become a link; it is closed
 *     otherwise
 * @param redialMinNanos the pause after the first failed dial; it doubles with each failure
 * @param redialMaxNanos the longest pause
 * @param higherEndGraceNanos how long, of two configured neighbours, the one with the higher id
 *     waits for the other to dial
 * @param handshakes the maximum number of concurrent handshakes
 * @param suspendedNanos how long the connection of a silent link is kept
 * @param gatherQuietNanos a starting agent joins the tree protocol once it has met no new member
 *     for this long
 * @param gatherNanos the latest time after its start at which it joins the tree protocol; a tree
 *     message from another agent shortens this to {@code batchNanos} after that message
 * @param batchNanos how long a measured link waits for others that are being measured before it is
 *     added to the tree automaton
 * @param forgetNanos how long an absent member stays known, {@link #MIN_FORGET} to {@link
 *     #MAX_FORGET}; configured neighbours always stay known
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
  /** The shortest allowed {@code forgetNanos}: longer than restarts and short partitions. */
  public static final Duration MIN_FORGET = Duration.ofMinutes(1);

  /** The longest allowed {@code forgetNanos}. */
  public static final Duration MAX_FORGET = Duration.ofDays(365);

  /**
   * The number of round trips of a handshake without TLS: one to connect, and one to exchange
   * Hello. TLS takes another one.
   */
  public static final int HANDSHAKE_ROUND_TRIPS = 2;

  /**
   * The default limits. They permit links with a round trip of up to 5 s, or 3.3 s with TLS: see
   * {@link #longestRttNanos}.
   */
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

  /** Returns the longest round trip at which agents without TLS can open a link. */
  public long longestRttNanos() {
    return handshakeTimeoutNanos / HANDSHAKE_ROUND_TRIPS;
  }

  /** Returns a builder, on which every limit must be set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder with these limits. */
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

  /** Builds limits. Each method sets the limit of the same name. */
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
