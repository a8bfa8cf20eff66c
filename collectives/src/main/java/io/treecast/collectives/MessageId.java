package io.treecast.collectives;

import io.treecast.ghs.NodeId;

/**
 * Names one broadcast.
 *
 * @param origin the node whose agent accepted it
 * @param incarnation that agent's incarnation, drawn anew at each of its starts
 * @param sequence from 1, without gaps, for each incarnation of an origin
 */
public record MessageId(NodeId origin, long incarnation, long sequence) {

  /** The highest sequence: the place behind each message has a sequence, too. */
  public static final long MAX_SEQUENCE = Long.MAX_VALUE - 1;

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code sequence} is not from 1 to {@link #MAX_SEQUENCE}
   */
  public MessageId {
    if (sequence < 1 || sequence > MAX_SEQUENCE) {
      throw new IllegalArgumentException(
          "message sequence " + sequence + "; allowed are 1 to " + MAX_SEQUENCE);
    }
  }

  /** The stream that the message is part of. */
  public StreamId stream() {
    return new StreamId(origin, incarnation);
  }

  /** For example {@code 12/9f3a6c01d2e4b587/4}. */
  @Override
  public String toString() {
    return stream() + "/" + sequence;
  }
}
