package io.treecast.agent.runtime.http;

import com.google.protobuf.ByteString;
import io.treecast.agent.runtime.server.UnreadAnswers;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.Chunk;
import io.treecast.proto.v1.MessageId;
import io.treecast.proto.v1.MissedMessages;
import io.treecast.proto.v1.SubscriptionEvent;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server-sent events of one subscription. Assembles messages from their chunks. A message
 * counts as missed if it exceeds the limit of a whole broadcast, or has no room.
 */
final class MessageEvents {
  /** The bytes that an unfinished chunk counts beside its payload. */
  private static final int CHUNK_BYTES = 256;

  /**
   * A part of a message.
   *
   * @param payload empty if the message is not kept
   * @param counted the bytes that the part counts
   * @param whyMissed the reason why the message is not kept; null if it is kept
   */
  private record Part(ByteString payload, int counted, @Nullable String whyMissed) {
    static Part missed(String why) {
      return new Part(ByteString.EMPTY, 0, why);
    }
  }

  private final int maxMessageBytes;
  private final UnreadAnswers room;
  private final Map<StreamId, Part> unfinished = new HashMap<>();

  /** The bytes that finished messages still count. */
  private int finishedBytes;

  /**
   * Creates an instance without messages.
   *
   * @param maxMessageBytes the largest message
   * @param room counts the unfinished messages of all subscriptions
   */
  MessageEvents(int maxMessageBytes, UnreadAnswers room) {
    this.maxMessageBytes = maxMessageBytes;
    this.room = room;
  }

  /** Appends the text of an event, if it has one. */
  void append(SubscriptionEvent event, StringBuilder out) {
    switch (event.getEventCase()) {
      case SUBSCRIBED ->
          out.append("event: subscribed\ndata: ")
              .append(event.getSubscribed().getNodeId())
              .append("\n\n");
      case CHUNK -> append(event.getChunk(), out);
      case MISSED -> {
        MissedMessages missed = event.getMissed();
        StreamId stream =
            new StreamId(
                NodeId.of(missed.getOrigin()),
                missed.getIncarnation(),
                missed.getTopic(),
                missed.getLane());
        forget(stream);
        appendMissed(
            stream,
            missed.getFirstSequence(),
            missed.getLastSequence(),
            missed.getReason().name().replace("MISSED_REASON_", ""),
            out);
      }
      case ABANDONED -> {
        MessageId id = event.getAbandoned().getMessageId();
        forget(stream(id));
        appendMissed(stream(id), id.getSequence(), id.getSequence(), "ABANDONED", out);
      }
      case BEGAN, LIVE, EVENT_NOT_SET -> {}
    }
  }

  private void append(Chunk chunk, StringBuilder out) {
    MessageId id = chunk.getMessageId();
    StreamId stream = stream(id);
    if (chunk.getIndex() == 0) {
      forget(stream);
    }
    Part part = joined(unfinished.remove(stream), chunk);
    if (!chunk.getLast()) {
      unfinished.put(stream, part);
    } else if (part.whyMissed != null) {
      appendMissed(stream, id.getSequence(), id.getSequence(), part.whyMissed, out);
    } else {
      finishedBytes += part.counted;
      appendMessage(stream, id.getSequence(), part.payload, out);
    }
  }

  private Part joined(@Nullable Part before, Chunk chunk) {
    Part start = before == null ? new Part(ByteString.EMPTY, 0, null) : before;
    if (start.whyMissed != null) {
      return start;
    }
    if (start.payload.size() + chunk.getPayload().size() > maxMessageBytes) {
      room.over(start.counted);
      return Part.missed("TOO_LARGE");
    }
    // A message of a single chunk is within the subscriber's window.
    int bytes = start.counted == 0 && chunk.getLast() ? 0 : chunk.getPayload().size() + CHUNK_BYTES;
    if (bytes > 0 && !room.add(bytes)) {
      room.over(start.counted);
      return Part.missed("NO_ROOM");
    }
    return new Part(start.payload.concat(chunk.getPayload()), start.counted + bytes, null);
  }

  /** Returns the bytes that the texts of finished messages count until they are sent. */
  int takeFinishedBytes() {
    int bytes = finishedBytes;
    finishedBytes = 0;
    return bytes;
  }

  private static void appendMessage(
      StreamId stream, long sequence, ByteString payload, StringBuilder out) {
    out.append("id: ").append(stream).append('/').append(sequence).append('\n');
    String text = payload.isValidUtf8() ? payload.toStringUtf8() : null;
    if (text != null && text.chars().allMatch(MessageEvents::isOfText)) {
      out.append("event: text\n");
      for (String line : text.split("\n", -1)) {
        out.append("data: ").append(line).append('\n');
      }
    } else {
      out.append("event: base64\ndata: ")
          .append(Base64.getEncoder().encodeToString(payload.toByteArray()))
          .append('\n');
    }
    out.append('\n');
  }

  /** Returns whether a character is safe for terminals and survives the format of events. */
  private static boolean isOfText(int character) {
    return character == '\n' || character == '\t' || !Character.isISOControl(character);
  }

  private static void appendMissed(
      StreamId stream, long first, long last, String reason, StringBuilder out) {
    out.append("event: missed\ndata: ")
        .append(
            JsonMapper.shared()
                .writeValueAsString(
                    JsonMapper.shared()
                        .createObjectNode()
                        .put("first", stream + "/" + first)
                        .put("last", stream + "/" + last)
                        .put("reason", reason)))
        .append("\n\n");
  }

  private void forget(StreamId stream) {
    Part part = unfinished.remove(stream);
    if (part != null) {
      room.over(part.counted);
    }
  }

  /** Discards all parts. */
  void release() {
    unfinished.values().forEach(part -> room.over(part.counted));
    unfinished.clear();
  }

  private static StreamId stream(MessageId id) {
    return new StreamId(
        NodeId.of(id.getOrigin()), id.getIncarnation(), id.getTopic(), id.getLane());
  }

  /** Returns a message's id as text. */
  static String id(MessageId id) {
    return stream(id) + "/" + id.getSequence();
  }
}
