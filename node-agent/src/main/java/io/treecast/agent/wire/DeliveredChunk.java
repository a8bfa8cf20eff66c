package io.treecast.agent.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.proto.v1.SubscriptionEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber's event with a chunk, which is written without protobuf's objects, as a {@link
 * ChunkFrame} is.
 *
 * @param publishedUnixMillis the time of publication in milliseconds since 1970; 0 if unknown
 * @param position the message's place in the total order; null without one
 */
public record DeliveredChunk(
    Chunk chunk, long publishedUnixMillis, @Nullable OrderPosition position) {

  /** Returns the size of the event with the payload. */
  public int bytes() {
    return ChunkFrame.bytes(chunk, publishedUnixMillis)
        + (position == null ? 0 : 1 + ChunkFrame.delimited(bytes(position)));
  }

  private static int bytes(OrderPosition position) {
    return CodedOutputStream.computeUInt64Size(1, position.epoch())
        + CodedOutputStream.computeUInt64Size(2, position.number());
  }

  /** Writes the event up to the bytes of the payload, which must follow. */
  public void writeHead(CodedOutputStream out) throws IOException {
    if (position != null) {
      out.writeTag(SubscriptionEvent.POSITION_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(bytes(position));
      out.writeUInt64(1, position.epoch());
      out.writeUInt64(2, position.number());
    }
    ChunkFrame.writeHead(out, chunk, publishedUnixMillis);
  }
}
