package io.treecast.agent.transport.connection;

import org.jspecify.annotations.Nullable;

/** The TCP socket below a connection. For any thread. */
public interface TcpSocket {
  /** The rate of a socket without a limit. */
  long UNLIMITED = 0;

  /**
   * The measurements of a socket.
   *
   * @param ackedBytes acknowledged since the connection opened
   * @param smoothedRttMicros the present round trip, with the queues on the way
   * @param minRttMicros the shortest of the last minutes
   */
  record Measurements(long ackedBytes, long smoothedRttMicros, long minRttMicros) {
    /** Returns the bytes of both sockets, and the shorter round trips. */
    public Measurements and(Measurements other) {
      return new Measurements(
          ackedBytes + other.ackedBytes,
          Math.min(smoothedRttMicros, other.smoothedRttMicros),
          Math.min(minRttMicros, other.minRttMicros));
    }
  }

  /** Returns what the system measures; null once the socket is closed. */
  @Nullable Measurements measurements();

  /**
   * Limits the rate at which the system sends; no effect once the socket is closed.
   *
   * @param bytesPerSecond {@link #UNLIMITED} without a limit
   */
  void limit(long bytesPerSecond);
}
