package io.treecast.collectives;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /** Whether its publisher gave it up. */
    boolean isAbandoned() {
      return abandoned;
    }
  }

  private final Map<StreamId, List<Message>> streams = new HashMap<>();

  void add(MessageId id, byte[] payload, long treeVersion) {
    List<Message> messages = streams.computeIfAbsent(id.stream(), stream -> new ArrayList<>());
    messages.add(new Message(payload, treeVersion));
    if (id.sequence() != messages.size()) {
      throw new AssertionError(id + " is not message " + messages.size() + " of its stream");
    }
  }

  /** Its publisher gives a message up. */
  void abandon(MessageId id) {
    get(id.stream(), id.sequence()).abandoned = true;
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
    return streams.getOrDefault(stream, List.of()).get((int) sequence - 1);
  }
}
