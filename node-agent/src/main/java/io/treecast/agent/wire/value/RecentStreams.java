package io.treecast.agent.wire.value;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The streams of recently decoded chunks on one connection. Successive chunks of a stream share one
 * object as its id, which is checked and created once, and compares quickly. Used by one thread at
 * a time.
 */
public final class RecentStreams {
  private static final int STREAMS = 64;

  private final @Nullable StreamId[] recent = new StreamId[STREAMS];

  /**
   * Decodes the identity of a message.
   *
   * @throws WireViolation as {@link ValueCodec#decode(io.treecast.proto.v1.MessageId)}
   */
  public MessageId decode(io.treecast.proto.v1.MessageId id) throws WireViolation {
    return message(
        id.getOrigin(), id.getIncarnation(), id.getTopic(), id.getLane(), id.getSequence());
  }

  /** Returns the identity with these components, as {@link #decode} does. */
  public MessageId message(String origin, long incarnation, String topic, int lane, long sequence)
      throws WireViolation {
    ValueCodec.checkSequence(sequence);
    int place = (Long.hashCode(incarnation) + lane) & (STREAMS - 1);
    StreamId stream = recent[place];
    if (stream == null
        || stream.incarnation() != incarnation
        || stream.lane() != lane
        || !stream.origin().toString().equals(origin)
        || !stream.topic().equals(topic)) {
      stream = ValueCodec.stream(origin, incarnation, topic, lane);
      recent[place] = stream;
    }
    return new MessageId(stream, sequence);
  }
}
