package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What the nodes of a run have published: the truth that deliveries are compared with. */
final class Published {
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

    /** Whether its publisher abandoned it. */
    boolean isAbandoned() {
      return abandoned;
    }
  }

  private final Map<StreamId, List<Message>> streams = new HashMap<>();

  /** What is being published whole, whose name is not known before it is delivered. */
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

  /** Its publisher gives a message up. */
  void abandon(MessageId id) {
    get(id.stream(), id.sequence()).abandoned = true;
  }

  /** This is about to be published whole. */
  void begin(byte[] payload, long treeVersion) {
    unnamed = new Message(payload, treeVersion);
  }

  /** It was published, by this name. */
  void name(MessageId id) {
    get(id.stream(), id.sequence());
    if (unnamed != null) {
      throw new AssertionError(id + " is the name of another message");
    }
  }

  /** It was refused. */
  void refused() {
    unnamed = null;
  }

  /** The last message of the stream was refused. */
  void takeBack(StreamId stream) {
    List<Message> messages = streams.getOrDefault(stream, List.of());
    messages.remove(messages.size() - 1);
  }

  /** How many messages each stream has. */
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

  /** A payload of any size that may be published whole. */
  static byte[] anyPayload(Random random, BroadcastLimits limits) {
    byte[] payload =
        new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(limits.payloadBytes() + 1)];
    random.nextBytes(payload);
    return payload;
  }
}
