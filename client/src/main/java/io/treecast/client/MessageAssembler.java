package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.Chunk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the chunks of one subscription into messages, and checks their checksums. Chunks of
 * different streams may interleave. A stream is one lane of a topic of an incarnation of an origin;
 * its chunks arrive in order, one message after the other. A message that grows too large, or has
 * no room, is not held: its chunks are passed on as they arrive.
 *
 * <p>Runs on the subscription's handler thread only.
 */
final class MessageAssembler {
  /** The bytes that a held chunk counts beside its payload. */
  static final int CHUNK_OVERHEAD_BYTES = 64;

  /** The application's side of messages that are not delivered whole. */
  interface Receiver {
    /**
     * Returns the sink of a message that is not held. Never returns null; an exception ends the
     * stream.
     *
     * @param why the reason for not holding the message, which is that of the miss if the
     *     application skips it
     */
    PayloadSink large(MessageId id, MissedReason why);

    /** Reports that an incomplete message has failed; its sink, if it has one, was notified. */
    void failed(MessageId id, TreecastException why);
  }

  private final long maxAssemblyBytes;
  private final int maxMessageBytes;
  private final Receiver receiver;

  /** Unfinished messages by stream. */
  private final Map<String, Unfinished> unfinished = new HashMap<>();

  private final RecentStream recent = new RecentStream();
  private long heldBytes;

  /**
   * Creates an instance without messages.
   *
   * @param maxAssemblyBytes the limit of the bytes of unfinished messages after each chunk,
   *     including {@link #CHUNK_OVERHEAD_BYTES} for each chunk
   * @param maxMessageBytes the largest message that is delivered whole
   */
  MessageAssembler(long maxAssemblyBytes, int maxMessageBytes, Receiver receiver) {
    this.maxAssemblyBytes = maxAssemblyBytes;
    this.maxMessageBytes = maxMessageBytes;
    this.receiver = receiver;
  }

  /**
   * Adds the next chunk.
   *
   * @return the message that the chunk completes, if it is delivered whole; otherwise null
   * @throws TreecastException {@code PROTOCOL_VIOLATION} if another chunk was due
   */
  @Nullable Message add(Chunk chunk) {
    MessageId id = FromWire.messageId(chunk.getMessageId());
    String stream = recent.name(id);
    Unfinished message = unfinished.get(stream);
    checkDue(chunk, id, message);
    if (message == null && chunk.getLast() && chunk.getPayload().size() <= maxMessageBytes) {
      return whole(id, chunk);
    }
    if (message == null) {
      message = new Unfinished(id);
      unfinished.put(stream, message);
    }
    take(chunk.getPayload(), chunk.getLast(), message);
    if (!chunk.getLast()) {
      return null;
    }
    forget(stream, message);
    if (isDamaged(chunk, message.checksum)) {
      fail(message, mismatch(id, message.payloadBytes, message.checksum, chunk));
      return null;
    }
    if (message.sink != null) {
      message.sink.complete();
      return null;
    }
    return message(id, message.payload(), chunk);
  }

  /** Returns the message of a single chunk; null if it is damaged. */
  private @Nullable Message whole(MessageId id, Chunk chunk) {
    PayloadChecksum checksum = new PayloadChecksum();
    checksum.update(chunk.getPayload());
    if (isDamaged(chunk, checksum)) {
      receiver.failed(id, mismatch(id, chunk.getPayload().size(), checksum, chunk));
      return null;
    }
    return message(id, chunk.getPayload().toByteArray(), chunk);
  }

  private static boolean isDamaged(Chunk last, PayloadChecksum checksum) {
    return last.hasCrc32C() && last.getCrc32C() != checksum.value();
  }

  private static Message message(MessageId id, byte[] payload, Chunk last) {
    return new Message(
        id,
        payload,
        null,
        last.getPublishedUnixMillis() == 0
            ? null
            : Instant.ofEpochMilli(last.getPublishedUnixMillis()),
        Headers.decode(last.getHeaders()));
  }

  private void take(ByteString payload, boolean last, Unfinished message) {
    message.nextIndex++;
    message.payloadBytes += payload.size();
    message.checksum.update(payload);
    MissedReason notHeld = notHeld(payload, last, message);
    if (message.sink == null && notHeld != null) {
      message.sink = receiver.large(message.id, notHeld);
      heldBytes -= message.heldBytes();
      for (ByteString held : message.takeHeld()) {
        pass(held, message.sink);
      }
    }
    if (message.sink != null) {
      pass(payload, message.sink);
    } else {
      hold(payload, message);
    }
  }

  /**
   * Returns the reason why the message cannot be held; null if it can. A message whose last chunk
   * has arrived needs no room.
   */
  private @Nullable MissedReason notHeld(ByteString payload, boolean last, Unfinished message) {
    if (message.payloadBytes > maxMessageBytes) {
      return MissedReason.TOO_LARGE;
    }
    long withPayload = heldBytes + payload.size() + CHUNK_OVERHEAD_BYTES;
    return withPayload > maxAssemblyBytes && !last ? MissedReason.NO_ROOM : null;
  }

  private static void pass(ByteString payload, PayloadSink sink) {
    payload.asReadOnlyByteBufferList().forEach(sink::chunk);
  }

  /**
   * Drops the unfinished message of a message's stream, if there is one, because the rest will not
   * arrive.
   */
  void drop(MessageId ofStream, String why) {
    String stream = recent.name(ofStream);
    Unfinished message = unfinished.get(stream);
    if (message != null) {
      forget(stream, message);
      fail(message, incomplete(message, why));
    }
  }

  /**
   * Drops all unfinished messages, which may be sent again from the start. Notifies every sink,
   * even if one throws; then throws the first exception.
   */
  void clear(String why) {
    List<Unfinished> all = List.copyOf(unfinished.values());
    unfinished.clear();
    heldBytes = 0;
    RuntimeException first = null;
    for (Unfinished message : all) {
      try {
        if (message.sink != null) {
          message.sink.failed(incomplete(message, why));
        }
      } catch (RuntimeException thrown) {
        first = first == null ? thrown : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void forget(String stream, Unfinished message) {
    unfinished.remove(stream);
    heldBytes -= message.heldBytes();
  }

  private void fail(Unfinished message, TreecastException why) {
    if (message.sink != null) {
      message.sink.failed(why);
    }
    receiver.failed(message.id, why);
  }

  private static TreecastException incomplete(Unfinished message, String why) {
    return new TreecastException(
        Reason.INCOMPLETE,
        "message " + message.id + " ended after " + message.payloadBytes + " bytes: " + why);
  }

  private static TreecastException mismatch(
      MessageId id, long payloadBytes, PayloadChecksum checksum, Chunk last) {
    return new TreecastException(
        Reason.CHECKSUM_MISMATCH,
        String.format(
            "message %s of %d bytes has CRC32C %08x and was sent with %08x: it was damaged in"
                + " transit, or by its publisher; have it sent again",
            id, payloadBytes, checksum.value(), last.getCrc32C()));
  }

  private static void checkDue(Chunk chunk, MessageId id, @Nullable Unfinished message) {
    int dueIndex = message == null ? 0 : message.nextIndex;
    long dueSequence = message == null ? id.sequence() : message.id.sequence();
    if (chunk.getIndex() != dueIndex || id.sequence() != dueSequence) {
      throw new TreecastException(
          Reason.PROTOCOL_VIOLATION,
          ("the agent sent chunk %s of message %s where chunk %s of message %s was due; "
                  + "check that client and agent have the same version")
              .formatted(Integer.toUnsignedString(chunk.getIndex()), id, dueIndex, dueSequence));
    }
  }

  private void hold(ByteString payload, Unfinished message) {
    heldBytes += payload.size() + CHUNK_OVERHEAD_BYTES;
    message.held.add(payload);
    message.heldPayloadBytes += payload.size();
  }

  private static final class Unfinished {
    final MessageId id;
    final List<ByteString> held = new ArrayList<>();
    final PayloadChecksum checksum = new PayloadChecksum();
    @Nullable PayloadSink sink;
    int nextIndex;
    long payloadBytes;
    int heldPayloadBytes;

    Unfinished(MessageId id) {
      this.id = id;
    }

    long heldBytes() {
      return heldPayloadBytes + (long) held.size() * CHUNK_OVERHEAD_BYTES;
    }

    List<ByteString> takeHeld() {
      List<ByteString> taken = List.copyOf(held);
      held.clear();
      heldPayloadBytes = 0;
      return taken;
    }

    byte[] payload() {
      byte[] payload = new byte[heldPayloadBytes];
      int offset = 0;
      for (ByteString chunk : held) {
        chunk.copyTo(payload, offset);
        offset += chunk.size();
      }
      return payload;
    }
  }
}
