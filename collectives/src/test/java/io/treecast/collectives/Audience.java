package io.treecast.collectives;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One local subscriber of a simulated node: takes items when it is told to, puts messages together
 * and fails on whatever comes twice, out of order or damaged.
 */
final class Audience {
  /** What it knows of one stream. */
  private static final class Heard {
    long partSequence;
    int partIndex;
    int partBytes;
    long lastSequence;
    final TreeSet<Long> delivered = new TreeSet<>();
    final TreeSet<Long> missed = new TreeSet<>();

    boolean inPart() {
      return partSequence > 0;
    }

    void endPart() {
      partSequence = 0;
      partIndex = 0;
      partBytes = 0;
    }
  }

  private final Published published;
  private final long windowBytes;
  private final ArrayDeque<LogItem> unconsumed = new ArrayDeque<>();
  private final Map<StreamId, Heard> heard = new HashMap<>();
  private long unconsumedBytes;

  Audience(Published published, long windowBytes) {
    this.published = published;
    this.windowBytes = windowBytes;
  }

  void deliver(Chunk chunk) {
    take(chunk);
    Heard stream = heard(chunk.stream());
    long sequence = chunk.messageId().sequence();
    if (chunk.index() != stream.partIndex
        || (stream.inPart() ? sequence != stream.partSequence : sequence <= stream.lastSequence)) {
      throw new AssertionError(
          chunk + " came after " + stream.lastSequence + ", in part " + stream.partSequence);
    }
    ByteBuffer payload = published.get(chunk.stream(), sequence).payload();
    int length = Math.min(chunk.bytes(), payload.remaining() - stream.partBytes);
    ByteBuffer expected = payload.slice(stream.partBytes, length);
    stream.partBytes += chunk.bytes();
    if (!chunk.payload().equals(expected)
        || chunk.last() != (stream.partBytes == payload.remaining())) {
      throw new AssertionError(chunk + " is not what was published");
    }
    if (chunk.last()) {
      stream.endPart();
      stream.lastSequence = sequence;
      stream.delivered.add(sequence);
    } else {
      stream.partSequence = sequence;
      stream.partIndex++;
    }
  }

  void missed(Gap gap) {
    take(gap);
    Heard stream = heard(gap.stream());
    stream.endPart();
    for (long sequence = gap.firstMissed(); sequence <= gap.lastMissed(); sequence++) {
      stream.missed.add(sequence);
    }
    stream.lastSequence = Math.max(stream.lastSequence, gap.lastMissed());
  }

  void abandoned(MessageId message) {
    Heard stream = heard(message.stream());
    if (stream.partSequence != message.sequence()) {
      throw new AssertionError(message + " was abandoned and is not in progress");
    }
    stream.endPart();
  }

  private void take(LogItem item) {
    unconsumed.add(item);
    unconsumedBytes += item.cost();
    if (unconsumedBytes > windowBytes) {
      throw new AssertionError(unconsumedBytes + " bytes are more than a subscriber's window");
    }
  }

  boolean hasUnconsumed() {
    return !unconsumed.isEmpty();
  }

  /** Consumes one item and returns its cost. */
  long consume() {
    long bytes = unconsumed.remove().cost();
    unconsumedBytes -= bytes;
    return bytes;
  }

  private Heard heard(StreamId stream) {
    return heard.computeIfAbsent(stream, id -> new Heard());
  }

  /** The messages that it was told it would not get. */
  List<MessageId> missed() {
    List<MessageId> all = new ArrayList<>();
    heard.forEach(
        (stream, known) ->
            known.missed.forEach(
                sequence ->
                    all.add(new MessageId(stream.origin(), stream.incarnation(), sequence))));
    return all;
  }

  /**
   * It has each message that its member has, from the first tree of the member on.
   *
   * @param fromTheStart whether it was there when its member began; otherwise it has those since
   *     the first that it got
   */
  void assertComplete(
      String who, List<StreamPosition> has, long firstVersion, boolean fromTheStart) {
    Map<StreamId, Position> positions = new TreeMap<>(Comparator.naturalOrder());
    has.forEach(position -> positions.put(position.stream(), position.next()));
    positions.forEach(
        (stream, next) -> {
          Heard known = heard(stream);
          long first = known.delivered.isEmpty() ? next.sequence() : known.delivered.first();
          for (long s = fromTheStart ? 1 : first; s < next.sequence(); s++) {
            boolean due = published.get(stream, s).treeVersion() >= firstVersion;
            boolean delivered = known.delivered.contains(s);
            boolean missed = known.missed.contains(s);
            if (delivered && missed) {
              throw new AssertionError(who + " got and missed " + stream + "/" + s);
            }
            if (due != (delivered || (missed && due))) {
              throw new AssertionError(
                  who + (due ? " lacks " : " should not have got ") + stream + "/" + s);
            }
          }
          if (known.inPart()) {
            throw new AssertionError(who + " waits for the rest of " + stream + " at " + next);
          }
        });
  }
}
