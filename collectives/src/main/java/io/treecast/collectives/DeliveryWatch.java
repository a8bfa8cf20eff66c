package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages that ask for receipts and that this member has not delivered yet. Relay's thread.
 *
 * <p>A message is watched from its first chunk on, so that a subscriber that is told of a gap in it
 * is noticed: such a message is never delivered here. Neither is one that was published before this
 * member's first committed tree, since nobody here is due it.
 *
 * <p>What is watched is held by an outlet of a subscriber, or not complete; so it is bounded as
 * what waits and the streams are.
 */
final class DeliveryWatch {
  /** The subscribers of this member. */
  interface Audience {
    /** Whether it is known which messages they are due. */
    boolean hasBegun();

    /** Whether they are due what was published under a tree of this version. */
    boolean isDue(long treeVersion);

    /** Whether each of them has been handed what is for it of the stream, up to here. */
    boolean has(StreamId stream, Position end);
  }

  /** A message. */
  static final class Watched {
    private final Chunk first;
    private @Nullable NodeId from;
    private @Nullable Position end;

    private Watched(Chunk first) {
      this.first = first;
    }

    MessageId message() {
      return first.messageId();
    }

    int receiptMillis() {
      return first.receiptMillis();
    }

    /** Whom the last chunk came from; null if it was published here. */
    @Nullable NodeId from() {
      return from;
    }
  }

  /** Oldest first. */
  private final TreeMap<StreamId, ArrayDeque<Watched>> streams = new TreeMap<>();

  /**
   * This is about to be logged and handed to subscribers.
   *
   * @param from the neighbour that it came from, or null
   */
  void logs(LogItem item, @Nullable NodeId from) {
    if (item instanceof Gap gap) {
      missed(gap);
    } else if (item instanceof Chunk chunk && chunk.asksForReceipts()) {
      ArrayDeque<Watched> watched =
          streams.computeIfAbsent(chunk.stream(), stream -> new ArrayDeque<>());
      if (chunk.index() == 0) {
        watched.add(new Watched(chunk));
      }
      Watched last = watched.peekLast();
      if (chunk.last() && last != null && last.message().equals(chunk.messageId())) {
        if (chunk.abandoned()) {
          watched.removeLast();
        } else {
          last.from = from;
          last.end = chunk.to();
        }
      }
    }
  }

  /** This member, or one of its subscribers, does not get that. */
  void missed(Gap gap) {
    Collection<Watched> watched = streams.get(gap.stream());
    if (watched != null) {
      watched.removeIf(
          w ->
              gap.firstMissed() <= w.message().sequence()
                  && w.message().sequence() <= gap.lastMissed());
    }
  }

  void forget(StreamId stream) {
    streams.remove(stream);
  }

  /**
   * Subscribers may have got something.
   *
   * @param delivered told of each message that each of them has by now
   */
  void check(Audience audience, Consumer<Watched> delivered) {
    if (streams.isEmpty() || !audience.hasBegun()) {
      return;
    }
    streams.forEach((stream, watched) -> check(audience, stream, watched, delivered));
    streams.values().removeIf(Collection::isEmpty);
  }

  private static void check(
      Audience audience,
      StreamId stream,
      ArrayDeque<Watched> watched,
      Consumer<Watched> delivered) {
    for (Watched next = watched.peek(); next != null; next = watched.peek()) {
      boolean isDue = audience.isDue(next.first.treeVersion());
      if (isDue && (next.end == null || !audience.has(stream, next.end))) {
        return;
      }
      watched.remove();
      if (isDue) {
        delivered.accept(next);
      }
    }
  }
}
