package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.Chunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the chunks of one subscription together to messages. Chunks of different origins may
 * interleave; those of one incarnation of an origin on one topic come in order, one message after
 * the other.
 *
 * <p>Runs on the subscription's handler thread only.
 */
final class MessageAssembler {
  /** What holding one chunk costs beside its payload. */
  static final int CHUNK_OVERHEAD_BYTES = 64;

  private final long maxAssemblyBytes;
  private final Map<Source, Unfinished> unfinished = new HashMap<>();
  private long heldBytes;

  /**
   * Holds nothing yet.
   *
   * @param maxAssemblyBytes most bytes of unfinished messages, {@link #CHUNK_OVERHEAD_BYTES} for
   *     each chunk included
   */
  MessageAssembler(long maxAssemblyBytes) {
    this.maxAssemblyBytes = maxAssemblyBytes;
  }

  /**
   * Takes the next chunk.
   *
   * @return the message that the chunk ends, or null
   * @throws TreecastException {@code PROTOCOL_VIOLATION} if it is not the chunk that is due, {@code
   *     ASSEMBLY_LIMIT} if it does not fit
   */
  @Nullable Message add(Chunk chunk) {
    MessageId id = FromWire.messageId(chunk.getMessageId());
    Source source = new Source(id.origin(), id.incarnation(), id.topic());
    Unfinished message = unfinished.get(source);
    checkDue(chunk, id, message);
    if (chunk.getLast() && message == null) {
      return new Message(id, chunk.getPayload().toByteArray());
    }
    if (message == null) {
      message = new Unfinished(id.sequence());
      unfinished.put(source, message);
    }
    hold(chunk.getPayload(), message, id);
    if (!chunk.getLast()) {
      return null;
    }
    unfinished.remove(source);
    heldBytes -= message.heldBytes();
    return new Message(id, message.payload());
  }

  /** Drops the unfinished message of one incarnation of an origin on a topic, if there is one. */
  void drop(String origin, long incarnation, String topic) {
    Unfinished message = unfinished.remove(new Source(origin, incarnation, topic));
    if (message != null) {
      heldBytes -= message.heldBytes();
    }
  }

  /** Drops all unfinished messages: their remainder will not come. */
  void clear() {
    unfinished.clear();
    heldBytes = 0;
  }

  private static void checkDue(Chunk chunk, MessageId id, @Nullable Unfinished message) {
    int dueIndex = message == null ? 0 : message.chunks.size();
    long dueSequence = message == null ? id.sequence() : message.sequence;
    if (chunk.getIndex() != dueIndex || id.sequence() != dueSequence) {
      throw new TreecastException(
          Reason.PROTOCOL_VIOLATION,
          "the agent sent chunk "
              + Integer.toUnsignedString(chunk.getIndex())
              + " of message "
              + id
              + " where chunk "
              + dueIndex
              + " of message "
              + dueSequence
              + " was due; check that client and agent have the same version");
    }
  }

  private void hold(ByteString payload, Unfinished message, MessageId id) {
    heldBytes += payload.size() + CHUNK_OVERHEAD_BYTES;
    message.payloadBytes += payload.size();
    if (heldBytes > maxAssemblyBytes || message.payloadBytes > Integer.MAX_VALUE) {
      throw new TreecastException(
          Reason.ASSEMBLY_LIMIT,
          "unfinished messages of "
              + unfinished.size()
              + " origins hold "
              + heldBytes
              + " bytes, "
              + id
              + " being the last to grow; the limit is "
              + maxAssemblyBytes
              + ": raise maxAssemblyBytes, or send smaller payloads");
    }
    message.chunks.add(payload);
  }

  /** Whose messages come one after the other. */
  private record Source(String origin, long incarnation, String topic) {}

  private static final class Unfinished {
    final long sequence;
    final List<ByteString> chunks = new ArrayList<>();
    long payloadBytes;

    Unfinished(long sequence) {
      this.sequence = sequence;
    }

    long heldBytes() {
      return payloadBytes + (long) chunks.size() * CHUNK_OVERHEAD_BYTES;
    }

    byte[] payload() {
      byte[] payload = new byte[(int) payloadBytes];
      int offset = 0;
      for (ByteString chunk : chunks) {
        chunk.copyTo(payload, offset);
        offset += chunk.size();
      }
      return payload;
    }
  }
}
