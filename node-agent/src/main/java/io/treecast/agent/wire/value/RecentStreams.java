package io.treecast.agent.wire.value;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import org.jspecify.annotations.Nullable;

/**
 * The streams that were decoded last on one connection. Chunks of a stream follow each other, and
 * get the same object as its id: it is checked and created once, and compares with itself. For one
 * thread at a time.
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
    int place = (Long.hashCode(id.getIncarnation()) + id.getLane()) & (STREAMS - 1);
    StreamId known = recent[place];
    if (known == null || !isNamed(known, id)) {
      MessageId message = ValueCodec.decode(id);
      recent[place] = message.stream();
      return message;
    }
    return new MessageId(known, ValueCodec.sequence(id.getSequence()));
  }

  private static boolean isNamed(StreamId known, io.treecast.proto.v1.MessageId id) {
    return known.incarnation() == id.getIncarnation()
        && known.lane() == id.getLane()
        && known.origin().toString().equals(id.getOrigin())
        && known.topic().equals(id.getTopic());
  }
}
