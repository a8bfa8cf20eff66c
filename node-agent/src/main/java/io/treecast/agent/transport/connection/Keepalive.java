package io.treecast.agent.transport.connection;

/** The times after which an agent probes a silent HTTP/2 connection and closes it. */
public final class Keepalive {
  /** Silence after which a keepalive is sent. */
  public static final int SECONDS = 20;

  private static final long LEAST_TIMEOUT_NANOS = 10_000_000_000L;

  private Keepalive() {}

  /** Returns the timeout of a keepalive: at least that of a slow handshake. */
  public static long timeoutNanos(long handshakeTimeoutNanos) {
    return Math.max(LEAST_TIMEOUT_NANOS, handshakeTimeoutNanos);
  }
}
