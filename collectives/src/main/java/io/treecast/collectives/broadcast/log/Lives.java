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
 * Which incarnation of each origin lives, as far as known: the highest that was heard of, since
 * agents count upwards; and which origins are members of the committed tree.
 *
 * <p>An agent that has restarted may publish nothing, while others wait for the rest of what its
 * life before had begun. So each names its life in its digests: as the stream of whole messages on
 * the default topic, at its {@link Position#START}, of which nobody lacks anything. Who hears of a
 * life for the first time tells the others that it sends to, once, and names it in its own digests.
 */
public final class Lives {
  private final NodeId self;
  private final int limit;
  private final TreeMap<NodeId, Long> latest = new TreeMap<>();

  /** Of the committed tree; none before the first one. */
  private SortedSet<NodeId> members = Collections.emptySortedSet();

  /**
   * Knows one.
   *
   * @param self what this node publishes whole on the default topic
   * @param limit of the lives that are known though nothing that they published is here
   */
  public Lives(StreamId self, int limit) {
    this.self = self.origin();
    this.limit = limit;
    latest.put(self.origin(), self.incarnation());
  }

  /** Whether any life of an origin is known. */
  public boolean knows(NodeId origin) {
    return latest.containsKey(origin);
  }

  /**
   * Whether nobody publishes more of the stream: its origin is no member of the committed tree, or
   * has begun a later life.
   */
  public boolean isOrphan(StreamId stream) {
    boolean isLatest = Objects.equals(latest.get(stream.origin()), stream.incarnation());
    return !isLatest || (!members.isEmpty() && !members.contains(stream.origin()));
  }

  /** Whether an origin is known to have begun another life after this one. */
  public boolean hasLaterLife(NodeId origin, long incarnation) {
    Long known = latest.get(origin);
    return known != null && known > incarnation;
  }

  /** Whether the stream, which is not here, may go on; before the first tree, none may. */
  public boolean mayPublishMoreOf(StreamId stream) {
    Long known = latest.get(stream.origin());
    boolean mayBeLatest = known == null || known <= stream.incarnation();
    return mayBeLatest && members.contains(stream.origin());
  }

  /** Something of this stream came; gives whether its origin is not known to have lived so late. */
  public boolean published(StreamId stream) {
    Long known = latest.get(stream.origin());
    boolean isNews =
        !stream.origin().equals(self) && (known == null || known < stream.incarnation());
    if (isNews) {
      latest.put(stream.origin(), stream.incarnation());
    }
    return isNews;
  }

  /** The same, of what a neighbour says to have. */
  public boolean named(StreamPosition position) {
    StreamId stream = position.stream();
    return position.next().equals(Position.START)
        && stream.equals(stream.publisher())
        && (latest.containsKey(stream.origin()) || latest.size() < limit)
        && published(stream);
  }

  /**
   * A tree of these members was committed. Who is in neither this nor the one before is forgotten,
   * unless something that it published is here: one that has just started may be in the next.
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

  /** A stream was forgotten, and nothing else that its origin published is here. */
  public void forget(NodeId origin) {
    if (!members.contains(origin)) {
      latest.remove(origin);
    }
  }

  /**
   * How neighbours are told of the lives that nothing else tells them of.
   *
   * @param isTold whether something of the stream is here
   */
  public List<StreamPosition> silent(Predicate<StreamId> isTold) {
    List<StreamPosition> silent = new ArrayList<>();
    latest.forEach(
        (origin, incarnation) -> {
          StreamId stream = new StreamId(origin, incarnation);
          if (!isTold.test(stream)) {
            silent.add(new StreamPosition(stream, Position.START));
          }
        });
    return silent;
  }
}
