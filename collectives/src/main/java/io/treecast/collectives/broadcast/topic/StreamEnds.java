package io.treecast.collectives.broadcast.topic;

import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.EdgeMessage.InterestKnown;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Where streams of topics end, as members of the committed tree say: those that somebody has, and
 * those that somebody has forgotten. At most so many of each.
 */
public final class StreamEnds {
  private final int most;
  private final TreeMap<StreamId, Position> present = new TreeMap<>();

  /** All that there was of each. */
  private final TreeMap<StreamId, Gap> forgotten = new TreeMap<>();

  StreamEnds(int most) {
    this.most = most;
  }

  /** Of those that somebody has. */
  public Map<StreamId, Position> present() {
    return Collections.unmodifiableMap(present);
  }

  /** Somebody has these streams, and has forgotten those. */
  void add(Collection<StreamPosition> has, Collection<Gap> left) {
    for (StreamPosition position : has) {
      present.merge(position.stream(), position.next(), (a, b) -> a.isBefore(b) ? b : a);
    }
    for (Gap gap : left) {
      if (forgotten.size() < most || forgotten.containsKey(gap.stream())) {
        forgotten.merge(gap.stream(), gap, (a, b) -> a.to().isBefore(b.to()) ? b : a);
      }
    }
  }

  /**
   * This member has these streams, and has forgotten those: of what others behind it have of them,
   * it passes on nothing that was here.
   */
  void addOwn(Collection<StreamPosition> has, Collection<Gap> left) {
    for (Gap gap : left) {
      present.computeIfPresent(
          gap.stream(), (stream, next) -> gap.to().isBefore(next) ? next : null);
    }
    add(has, left);
  }

  /** Those of these topics. */
  StreamEnds of(Predicate<String> topics) {
    StreamEnds found = new StreamEnds(most);
    found.present.putAll(present);
    found.forgotten.putAll(forgotten);
    found.present.keySet().removeIf(stream -> !topics.test(stream.topic()));
    found.forgotten.keySet().removeIf(stream -> !topics.test(stream.topic()));
    return found;
  }

  /** Of other topics than these, what somebody had may be forgotten by now. */
  void keep(Predicate<String> topics) {
    present.keySet().removeIf(stream -> !topics.test(stream.topic()));
  }

  void forget(StreamId stream) {
    present.remove(stream);
  }

  void clear() {
    present.clear();
    forgotten.clear();
  }

  /**
   * All that there was of those that were forgotten and that nobody has as far: who has one that
   * far still sends it, or the gap.
   */
  public List<Gap> gone() {
    return forgotten.values().stream()
        .filter(gap -> present.getOrDefault(gap.stream(), Position.START).isBefore(gap.to()))
        .toList();
  }

  /** How a neighbour is told of them; at least one part. */
  List<InterestKnown> answer(long number) {
    List<StreamPosition> positions = new ArrayList<>();
    present.forEach((stream, next) -> positions.add(new StreamPosition(stream, next)));
    Iterator<List<StreamPosition>> ends = parts(positions);
    Iterator<List<Gap>> gaps = parts(gone());
    List<InterestKnown> parts = new ArrayList<>();
    while (ends.hasNext() || gaps.hasNext()) {
      List<StreamPosition> has = ends.hasNext() ? ends.next() : List.of();
      List<Gap> left = gaps.hasNext() ? gaps.next() : List.of();
      parts.add(new InterestKnown(number, has, left, !ends.hasNext() && !gaps.hasNext()));
    }
    return parts;
  }

  private static <T> Iterator<List<T>> parts(List<T> all) {
    return EdgeMessage.parts(all, Digest.MAX_POSITIONS).iterator();
  }
}
