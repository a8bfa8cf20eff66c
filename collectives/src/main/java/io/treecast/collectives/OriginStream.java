package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/** The messages of one incarnation of an origin: which chunk of them comes next. Relay's thread. */
final class OriginStream {
  private final NodeId origin;
  private final long incarnation;
  private final @Nullable Long replacedIncarnation;
  private long nextSequence = 1;
  private long nextIndex;
  private long subscriptionsAtStart;

  /**
   * A stream of which nothing has arrived.
   *
   * @param replacedIncarnation the origin's incarnation before this one, as far as known here
   */
  OriginStream(NodeId origin, long incarnation, @Nullable Long replacedIncarnation) {
    this.origin = origin;
    this.incarnation = incarnation;
    this.replacedIncarnation = replacedIncarnation;
  }

  NodeId origin() {
    return origin;
  }

  long incarnation() {
    return incarnation;
  }

  boolean replaces(long otherIncarnation) {
    return replacedIncarnation != null && replacedIncarnation == otherIncarnation;
  }

  /** The sequence of the message that is incomplete, or next if none is. */
  long nextSequence() {
    return nextSequence;
  }

  /** How many subscriptions there had been when the first chunk of the current message arrived. */
  long subscriptionsAtStart() {
    return subscriptionsAtStart;
  }

  /** Negative for a chunk that has arrived before, 0 for the next one, positive beyond a gap. */
  int compareToNext(Chunk chunk) {
    int bySequence = Long.compare(chunk.messageId().sequence(), nextSequence);
    return bySequence != 0 ? bySequence : Long.compare(chunk.index(), nextIndex);
  }

  /** The next chunk has arrived, after that many subscriptions. */
  void advance(Chunk chunk, long subscriptions) {
    if (nextIndex == 0) {
      subscriptionsAtStart = subscriptions;
    }
    if (chunk.last()) {
      nextSequence++;
      nextIndex = 0;
    } else {
      nextIndex++;
    }
  }

  /** For example {@code message 4 chunk 0}. */
  String next() {
    return "message " + nextSequence + " chunk " + nextIndex;
  }

  OriginProgress progress() {
    return new OriginProgress(origin, incarnation, nextSequence - 1);
  }
}
