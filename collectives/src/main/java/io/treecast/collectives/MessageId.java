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

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code sequence < 1}
   */
  public MessageId {
    if (sequence < 1) {
      throw new IllegalArgumentException("message sequence " + sequence + " is less than 1");
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
