package io.treecast.agent.core;

/**
 * Times and bounds of linking.
 *
 * @param handshakeTimeoutNanos a connection that is no link by then is closed
 * @param redialMinNanos first pause after a failed dial; doubles with each failure
 * @param redialMaxNanos longest pause
 * @param higherEndGraceNanos how long, of two configured neighbours, the one with the higher id
 *     leaves dialing to the other
 * @param handshakes connections that may be in their handshake at once
 * @param suspendedNanos how long the connection of a silent link is kept
 * @param gatherQuietNanos an agent that has just started takes part in the tree when nobody new has
 *     been met for so long
 * @param gatherNanos it takes part by then, whatever it still waits for
 * @param batchNanos how long a measured link waits for others that are being measured, before the
 *     tree is told of it
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
    long batchNanos) {

  /** Fit for links of up to some seconds round trip. */
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
          2_000_000_000L);
}
