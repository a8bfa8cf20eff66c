package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;

/**
 * Names one broadcast.
 *
 * @param stream that the message is part of: what one incarnation of the node whose agent accepted
 *     it publishes on a topic and a lane
 * @param sequence from 1, without gaps, for each stream
 */
public record MessageId(StreamId stream, long sequence) {

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

  /** Names a broadcast of a whole payload on the default topic. */
  public MessageId(NodeId origin, long incarnation, long sequence) {
    this(new StreamId(origin, incarnation), sequence);
  }

  /** The node whose agent accepted it. */
  public NodeId origin() {
    return stream.origin();
  }

  /** That agent's incarnation, drawn anew at each of its starts. */
  public long incarnation() {
    return stream.incarnation();
  }

  /** {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}. */
  public String topic() {
    return stream.topic();
  }

  /** Of the stream that it is part of. */
  public int lane() {
    return stream.lane();
  }

  /** For example {@code 12/9f3a6c01d2e4b587/4}; of a topic {@code 12/9f3a6c01d2e4b587/prices/4}. */
  @Override
  public String toString() {
    return stream + "/" + sequence;
  }
}
