package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.Topic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The publications of the nodes of a run: the truth that deliveries are compared with. */
final class Published {
  private boolean selectionsGivenUp;

  /** A message as its publisher knows it. */
  static final class Message {
    private final ByteBuffer payload;
    private final long treeVersion;
    private boolean abandoned;

    Message(byte[] payload, long treeVersion) {
      this.payload = ByteBuffer.wrap(payload);
      this.treeVersion = treeVersion;
    }

    ByteBuffer payload() {
      return payload;
    }

    long treeVersion() {
      return treeVersion;
    }

    /** Returns whether its publisher abandoned it. */
    boolean isAbandoned() {
      return abandoned;
    }
  }

  private final Map<StreamId, List<Message>> streams = new HashMap<>();

  /** The message that is being published whole; its name is unknown before it is delivered. */
  private @Nullable Message unnamed;

  void add(MessageId id, byte[] payload, long treeVersion) {
    add(id, new Message(payload, treeVersion));
  }

  private void add(MessageId id, Message message) {
    List<Message> messages = streams.computeIfAbsent(id.stream(), stream -> new ArrayList<>());
    messages.add(message);
    if (id.sequence() != messages.size()) {
      throw new AssertionError(id + " is not message " + messages.size() + " of its stream");
    }
  }

  /** Notes that its publisher abandons a message. */
  void abandon(MessageId id) {
    get(id.stream(), id.sequence()).abandoned = true;
  }

  /** Notes that a payload is about to be published whole. */
  void begin(byte[] payload, long treeVersion) {
    unnamed = new Message(payload, treeVersion);
  }

  /** Names the message that was published. */
  void name(MessageId id) {
    get(id.stream(), id.sequence());
    if (unnamed != null) {
      throw new AssertionError(id + " is the name of another message");
    }
  }

  /** Notes that the payload was refused. */
  void refused() {
    unnamed = null;
  }

  /** Removes the last message of the stream, which was refused. */
  void takeBack(StreamId stream) {
    List<Message> messages = streams.getOrDefault(stream, List.of());
    messages.remove(messages.size() - 1);
  }

  /** Returns the number of messages of each stream. */
  Map<StreamId, Long> counts() {
    Map<StreamId, Long> counts = new HashMap<>();
    streams.forEach((stream, messages) -> counts.put(stream, (long) messages.size()));
    return counts;
  }

  Message get(StreamId stream, long sequence) {
    Message latest = unnamed;
    if (latest != null && streams.getOrDefault(stream, List.of()).size() < sequence) {
      unnamed = null;
      add(new MessageId(stream, sequence), latest);
    }
    return streams.getOrDefault(stream, List.of()).get((int) sequence - 1);
  }

  /** Returns a payload of any size that may be published whole. */
  static byte[] anyPayload(Random random, BroadcastLimits limits) {
    byte[] payload =
        new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(limits.payloadBytes() + 1)];
    random.nextBytes(payload);
    return payload;
  }

  /** Notes that so much time has passed that receivers of selections may not be awaited. */
  void selectionsMayBeGivenUp() {
    selectionsGivenUp = true;
  }

  /** Returns whether receivers of the stream may not be awaited any more. */
  boolean mayBeGivenUp(StreamId stream) {
    return selectionsGivenUp && Topic.isSelection(stream.topic());
  }
}
