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
 * different streams may interleave; those of one stream, which is one lane of a topic of an
 * incarnation of an origin, come in order, one message after the other. A message that grows large,
 * or for which there is no room, is not held: its chunks are passed on as they come.
 *
 * <p>Runs on the subscription's handler thread only.
 */
final class MessageAssembler {
  /** The bytes for which a held chunk counts besides its payload. */
  static final int CHUNK_OVERHEAD_BYTES = 64;

  /** The application's side of messages that are not handed over whole. */
  interface Receiver {
    /**
     * Returns the sink of a message that is not held; never null, and throws only to end the
     * stream.
     *
     * @param why it is not held: the reason if it is therefore missed
     */
    PayloadSink large(MessageId id, MissedReason why);

    /**
     * Reports that a message that had begun cannot be had; its sink, if it had one, has been
     * notified.
     */
    void failed(MessageId id, TreecastException why);
  }

  private final long maxAssemblyBytes;
  private final int maxMessageBytes;
  private final Receiver receiver;

  /** Unfinished messages by stream. */
  private final Map<String, Unfinished> unfinished = new HashMap<>();

  private long heldBytes;

  /**
   * Creates it empty.
   *
   * @param maxAssemblyBytes most bytes of unfinished messages after each chunk, {@link
   *     #CHUNK_OVERHEAD_BYTES} for each chunk included
   * @param maxMessageBytes largest message that is handed over whole
   */
  MessageAssembler(long maxAssemblyBytes, int maxMessageBytes, Receiver receiver) {
    this.maxAssemblyBytes = maxAssemblyBytes;
    this.maxMessageBytes = maxMessageBytes;
    this.receiver = receiver;
  }

  /**
   * Takes the next chunk.
   *
   * @return the message that the chunk ends if it is to be handed over whole, or null
   * @throws TreecastException {@code PROTOCOL_VIOLATION} if it is not the chunk that is due
   */
  @Nullable Message add(Chunk chunk) {
    MessageId id = FromWire.messageId(chunk.getMessageId());
    String stream = Positions.stream(id);
    Unfinished message = unfinished.get(stream);
    checkDue(chunk, id, message);
    if (message == null) {
      message = new Unfinished(id);
      unfinished.put(stream, message);
    }
    take(chunk.getPayload(), chunk.getLast(), message);
    if (!chunk.getLast()) {
      return null;
    }
    forget(stream, message);
    if (chunk.hasCrc32C() && chunk.getCrc32C() != message.checksum.value()) {
      fail(message, mismatch(chunk, message));
      return null;
    }
    if (message.sink != null) {
      message.sink.complete();
      return null;
    }
    return new Message(
        id,
        message.payload(),
        null,
        chunk.getPublishedUnixMillis() == 0
            ? null
            : Instant.ofEpochMilli(chunk.getPublishedUnixMillis()),
        Headers.decode(chunk.getHeaders()));
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
   * Returns why the message cannot be held; null if it can. With its last chunk it leaves at once.
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
   * Drops the unfinished message of a message's stream, if there is one: the rest will not come.
   */
  void drop(MessageId ofStream, String why) {
    String stream = Positions.stream(ofStream);
    Unfinished message = unfinished.get(stream);
    if (message != null) {
      forget(stream, message);
      fail(message, incomplete(message, why));
    }
  }

  /**
   * Drops all unfinished messages: they may be sent again from the start. Every sink is notified,
   * even if one throws; then the first exception is thrown.
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

  private static TreecastException mismatch(Chunk chunk, Unfinished message) {
    return new TreecastException(
        Reason.CHECKSUM_MISMATCH,
        String.format(
            "message %s of %d bytes has CRC32C %08x and was sent with %08x: it was damaged in"
                + " transit, or by its publisher; have it sent again",
            message.id, message.payloadBytes, message.checksum.value(), chunk.getCrc32C()));
  }

  private static void checkDue(Chunk chunk, MessageId id, @Nullable Unfinished message) {
    int dueIndex = message == null ? 0 : message.nextIndex;
    long dueSequence = message == null ? id.sequence() : message.id.sequence();
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
