package io.treecast.agent.core;

/**
 * Times and bounds of linking with other agents.
 *
 * @param handshakeTimeoutNanos a connection that is no link by then is closed
 * @param redialMinNanos first pause after a failed dial; doubles with each failure
 * @param redialMaxNanos longest pause
 * @param higherEndGraceNanos how long, of two configured neighbours, the one with the higher id
 *     leaves dialing to the other
 * @param handshakes connections that may be in their handshake at once
 */
public record LinkLimits(
    long handshakeTimeoutNanos,
    long redialMinNanos,
    long redialMaxNanos,
    long higherEndGraceNanos,
    int handshakes) {

  /** Fit for links of up to some seconds round trip. */
  public static final LinkLimits DEFAULT =
      new LinkLimits(10_000_000_000L, 200_000_000L, 10_000_000_000L, 2_000_000_000L, 1_024);
}
