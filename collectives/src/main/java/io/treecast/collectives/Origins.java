package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of every origin that was heard from, by its latest incarnation only. Relay's thread.
 *
 * <p>The first chunk of a new incarnation replaces the one before at once: its agent has restarted,
 * and nothing that it has not yet sent will ever come. Of the one before, its number is remembered
 * as long as the new one is, so that a straggler is dropped; incarnations are not ordered, so one
 * that lags by two restarts could not be told from a new one, and is refused because it does not
 * begin with its first message.
 *
 * <p>At most {@code limits.origins} are remembered, this node not counted. When there is no room
 * for another, the one that was silent for longest and is no member of the tree is forgotten;
 * members never are.
 */
final class Origins {
  private static final float LOAD_FACTOR = 0.75f;

  private final OriginStream own;
  private final int limit;

  /** In the order of their last chunk, oldest first. */
  private final LinkedHashMap<NodeId, OriginStream> others =
      new LinkedHashMap<>(16, LOAD_FACTOR, true);

  Origins(NodeId self, long incarnation, int limit) {
    this.own = new OriginStream(self, incarnation, null);
    this.limit = limit;
  }

  /** What is published here. */
  OriginStream own() {
    return own;
  }

  /**
   * The stream that a message belongs to, perhaps one that is not {@linkplain #remember remembered}
   * yet; null if the message is of an incarnation that is known to be over.
   */
  @Nullable OriginStream streamOf(MessageId id) {
    if (id.origin().equals(own.origin())) {
      return id.incarnation() == own.incarnation() ? own : null;
    }
    OriginStream known = others.get(id.origin());
    if (known == null) {
      return new OriginStream(id.origin(), id.incarnation(), null);
    }
    if (known.incarnation() == id.incarnation()) {
      return known;
    }
    return known.replaces(id.incarnation())
        ? null
        : new OriginStream(id.origin(), id.incarnation(), known.incarnation());
  }

  /**
   * Remembers a stream of another node in place of its origin's earlier one.
   *
   * @return false if there is no room for another origin
   */
  boolean remember(OriginStream stream, Predicate<NodeId> isMember) {
    boolean room =
        others.containsKey(stream.origin()) || others.size() < limit || forgetOne(isMember);
    if (room) {
      others.put(stream.origin(), stream);
    }
    return room;
  }

  private boolean forgetOne(Predicate<NodeId> isMember) {
    for (Iterator<NodeId> oldest = others.keySet().iterator(); oldest.hasNext(); ) {
      if (!isMember.test(oldest.next())) {
        oldest.remove();
        return true;
      }
    }
    return false;
  }

  /** Ordered by origin, this node included. */
  List<OriginProgress> progress() {
    return Stream.concat(Stream.of(own), others.values().stream())
        .map(OriginStream::progress)
        .sorted(Comparator.comparing(OriginProgress::origin))
        .toList();
  }
}
