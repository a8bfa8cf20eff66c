package io.treecast.collectives;

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
 * agents count upwards. Relay's thread.
 *
 * <p>An agent that has restarted may publish nothing, while others wait for the rest of what its
 * life before had begun. So each names its life in its digests: as the stream of whole messages on
 * the default topic, at its {@link Position#START}, of which nobody lacks anything. Who hears of a
 * life for the first time tells the others that it sends to, once, and names it in its own digests.
 */
final class Lives {
  private final NodeId self;
  private final int limit;
  private final TreeMap<NodeId, Long> latest = new TreeMap<>();
  private SortedSet<NodeId> membersBefore = Collections.emptySortedSet();

  /**
   * Knows one.
   *
   * @param self what this node publishes whole on the default topic
   * @param limit of the lives that are known though nothing that they published is here
   */
  Lives(StreamId self, int limit) {
    this.self = self.origin();
    this.limit = limit;
    latest.put(self.origin(), self.incarnation());
  }

  /** Whether any life of an origin is known. */
  boolean knows(NodeId origin) {
    return latest.containsKey(origin);
  }

  /** Whether no later life of the stream's origin is known. */
  boolean isLatest(StreamId stream) {
    return Objects.equals(latest.get(stream.origin()), stream.incarnation());
  }

  /** The same, or none is known. */
  boolean mayBeLatest(StreamId stream) {
    Long known = latest.get(stream.origin());
    return known == null || known <= stream.incarnation();
  }

  /** Something of this stream came; gives whether its origin is not known to have lived so late. */
  boolean published(StreamId stream) {
    Long known = latest.get(stream.origin());
    boolean isNews =
        !stream.origin().equals(self) && (known == null || known < stream.incarnation());
    if (isNews) {
      latest.put(stream.origin(), stream.incarnation());
    }
    return isNews;
  }

  /** The same, of what a neighbour says to have. */
  boolean named(StreamPosition position) {
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
  void membersAre(SortedSet<NodeId> members, Predicate<NodeId> isHere) {
    latest
        .keySet()
        .removeIf(
            origin ->
                !members.contains(origin)
                    && !membersBefore.contains(origin)
                    && !origin.equals(self)
                    && !isHere.test(origin));
    membersBefore = members;
  }

  /** A stream was forgotten, and nothing else that its origin published is here. */
  void forget(NodeId origin) {
    if (!membersBefore.contains(origin)) {
      latest.remove(origin);
    }
  }

  /**
   * How neighbours are told of the lives that nothing else tells them of.
   *
   * @param isTold whether something of the stream is here
   */
  List<StreamPosition> silent(Predicate<StreamId> isTold) {
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
