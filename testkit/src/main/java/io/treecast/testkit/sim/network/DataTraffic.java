package io.treecast.testkit.sim.network;

/**
 * Messages on data streams. Immutable.
 *
 * @param messages how many were sent
 * @param bytes their size in the wire format, without that of HTTP/2 and below
 */
public record DataTraffic(long messages, long bytes) {
  /** No message. */
  public static final DataTraffic NONE = new DataTraffic(0, 0);

  /** Returns both together. */
  public DataTraffic plus(DataTraffic other) {
    return new DataTraffic(messages + other.messages, bytes + other.bytes);
  }

  /** Returns the messages sent since then. */
  public DataTraffic since(DataTraffic earlier) {
    return new DataTraffic(messages - earlier.messages, bytes - earlier.bytes);
  }
}
