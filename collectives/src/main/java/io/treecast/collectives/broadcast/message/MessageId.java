package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;

/**
 * The identity of one broadcast.
 *
 * @param stream the stream that the message is part of: the messages of one incarnation of the
 *     origin on one topic and lane
 * @param sequence from 1, without gaps, in each stream
 */
public record MessageId(StreamId stream, long sequence) {

  /** The highest sequence. The place behind a message must have a sequence, too. */
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

  /** Identifies a broadcast that was published whole on the default topic. */
  public MessageId(NodeId origin, long incarnation, long sequence) {
    this(new StreamId(origin, incarnation), sequence);
  }

  /** Returns the node whose agent accepted the broadcast. */
  public NodeId origin() {
    return stream.origin();
  }

  /** Returns the incarnation of that agent, which is new at each start. */
  public long incarnation() {
    return stream.incarnation();
  }

  /** Returns {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}. */
  public String topic() {
    return stream.topic();
  }

  /** Returns the lane of the message's stream. */
  public int lane() {
    return stream.lane();
  }

  /**
   * Returns for example {@code 12/9f3a6c01d2e4b587/4}, with a topic {@code
   * 12/9f3a6c01d2e4b587/prices/4}.
   */
  @Override
  public String toString() {
    return stream + "/" + sequence;
  }
}
