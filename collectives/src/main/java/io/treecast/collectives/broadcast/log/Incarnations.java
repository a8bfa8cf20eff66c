package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The live incarnation of each origin, which is the highest one known here, because the
 * incarnations of an agent grow. Also the origins that are members of the committed tree.
 *
 * <p>An agent that has restarted may publish nothing, while others wait for the rest of messages
 * that its earlier incarnation had begun. Each agent therefore names its incarnation in its
 * digests: as the stream of whole messages on the default topic, at {@link Position#START}, of
 * which no member lacks anything. A member that learns of an incarnation announces it once to the
 * neighbours to which it sends, and names it in its own digests.
 */
public final class Incarnations {
  private final NodeId self;
  private final int limit;
  private final TreeMap<NodeId, Long> latest = new TreeMap<>();

  /** The members of the committed tree; empty before the first one. */
  private SortedSet<NodeId> members = Collections.emptySortedSet();

  /**
   * Creates a registry that knows this node's own incarnation.
   *
   * @param self the stream of whole messages of this node on the default topic
   * @param limit the largest number of incarnations known without published content here
   */
  public Incarnations(StreamId self, int limit) {
    this.self = self.origin();
    this.limit = limit;
    latest.put(self.origin(), self.incarnation());
  }

  /** Returns whether any incarnation of an origin is known. */
  public boolean contains(NodeId origin) {
    return latest.containsKey(origin);
  }

  /**
   * Returns whether the stream has no live publisher: its origin is not a member of the committed
   * tree, or has begun a later incarnation.
   */
  public boolean isOrphan(StreamId stream) {
    boolean isLatest = Objects.equals(latest.get(stream.origin()), stream.incarnation());
    return !isLatest || (!members.isEmpty() && !members.contains(stream.origin()));
  }

  /** Returns whether an origin is known to have begun a later incarnation. */
  public boolean hasLaterIncarnation(NodeId origin, long incarnation) {
    Long known = latest.get(origin);
    return known != null && known > incarnation;
  }

  /**
   * Returns whether the stream, which is not here, may continue; before the first tree, no stream
   * may.
   */
  public boolean mayPublishMoreOf(StreamId stream) {
    Long known = latest.get(stream.origin());
    boolean mayBeLatest = known == null || known <= stream.incarnation();
    return mayBeLatest && members.contains(stream.origin());
  }

  /** Records content of this stream; returns whether the incarnation of its origin is new. */
  public boolean published(StreamId stream) {
    Long known = latest.get(stream.origin());
    boolean isNew =
        !stream.origin().equals(self) && (known == null || known < stream.incarnation());
    if (isNew) {
      latest.put(stream.origin(), stream.incarnation());
    }
    return isNew;
  }

  /** Records a position that a neighbour reports; returns as {@link #published}. */
  public boolean named(StreamPosition position) {
    StreamId stream = position.stream();
    return position.next().equals(Position.START)
        && stream.equals(stream.publisher())
        && (latest.containsKey(stream.origin()) || latest.size() < limit)
        && published(stream);
  }

  /**
   * Sets the members of the committed tree. Origins in neither this nor the previous tree are
   * forgotten, unless content of theirs is here: a node that has just started may be in the next
   * tree.
   */
  public void membersAre(SortedSet<NodeId> treeMembers, Predicate<NodeId> isHere) {
    latest
        .keySet()
        .removeIf(
            origin ->
                !treeMembers.contains(origin)
                    && !members.contains(origin)
                    && !origin.equals(self)
                    && !isHere.test(origin));
    members = treeMembers;
  }

  /** Forgets an origin whose last stream here was forgotten. */
  public void forget(NodeId origin) {
    if (!members.contains(origin)) {
      latest.remove(origin);
    }
  }

  /**
   * Returns the incarnations that no other message announces to neighbours.
   *
   * @param hasContent whether content of the stream is here
   */
  public List<StreamPosition> silent(Predicate<StreamId> hasContent) {
    List<StreamPosition> silent = new ArrayList<>();
    latest.forEach(
        (origin, incarnation) -> {
          StreamId stream = new StreamId(origin, incarnation);
          if (!hasContent.test(stream)) {
            silent.add(new StreamPosition(stream, Position.START));
          }
        });
    return silent;
  }
}
