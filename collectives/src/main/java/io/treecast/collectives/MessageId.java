package io.treecast.collectives;

import io.treecast.ghs.NodeId;

/**
 * Names one broadcast.
 *
 * @param origin the node whose agent accepted it
 * @param incarnation that agent's incarnation, drawn anew at each of its starts
 * @param topic {@link Topic#DEFAULT}, or a name that is {@linkplain Topic#checked allowed}
 * @param lane of the stream that it is part of
 * @param sequence from 1, without gaps, for each stream
 */
public record MessageId(NodeId origin, long incarnation, String topic, int lane, long sequence) {

  /** The highest sequence: the place behind each message has a sequence, too. */
  public static final long MAX_SEQUENCE = Long.MAX_VALUE - 1;

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code sequence} is not from 1 to {@link #MAX_SEQUENCE}, or
   *     there is no such lane
   */
  public MessageId {
    if (!StreamId.isLane(topic, lane)) {
      throw new IllegalArgumentException("topic '" + topic + "' has no lane " + lane);
    }
    if (sequence < 1 || sequence > MAX_SEQUENCE) {
      throw new IllegalArgumentException(
          "message sequence " + sequence + "; allowed are 1 to " + MAX_SEQUENCE);
    }
  }

  /** Names a broadcast of a whole payload on the default topic. */
  public MessageId(NodeId origin, long incarnation, long sequence) {
    this(new StreamId(origin, incarnation), sequence);
  }

  /** Names a message of a stream. */
  public MessageId(StreamId stream, long sequence) {
    this(stream.origin(), stream.incarnation(), stream.topic(), stream.lane(), sequence);
  }

  /** The stream that the message is part of. */
  public StreamId stream() {
    return new StreamId(origin, incarnation, topic, lane);
  }

  /** For example {@code 12/9f3a6c01d2e4b587/4}; of a topic {@code 12/9f3a6c01d2e4b587/prices/4}. */
  @Override
  public String toString() {
    return stream() + "/" + sequence;
  }
}
