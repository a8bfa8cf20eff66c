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
 * The ends of streams of topics, as reported by members of the committed tree: of streams that a
 * member has, and of streams that a member has forgotten. The number of the latter is limited.
 */
public final class StreamEnds {
  private final int most;
  private final TreeMap<StreamId, Position> present = new TreeMap<>();

  /** The whole content of each forgotten stream. */
  private final TreeMap<StreamId, Gap> forgotten = new TreeMap<>();

  StreamEnds(int most) {
    this.most = most;
  }

  /** Returns the ends of the streams that some member has. */
  public Map<StreamId, Position> present() {
    return Collections.unmodifiableMap(present);
  }

  /** Adds streams that a member has, and those that it has forgotten. */
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
   * Adds the streams that this member has, and those that it has forgotten. Another member's
   * position in a forgotten stream is kept only if it lies beyond the forgotten content.
   */
  void addOwn(Collection<StreamPosition> has, Collection<Gap> left) {
    for (Gap gap : left) {
      present.computeIfPresent(
          gap.stream(), (stream, next) -> gap.to().isBefore(next) ? next : null);
    }
    add(has, left);
  }

  /** Returns the ends for these topics. */
  StreamEnds of(Predicate<String> topics) {
    StreamEnds found = new StreamEnds(most);
    found.present.putAll(present);
    found.forgotten.putAll(forgotten);
    found.present.keySet().removeIf(stream -> !topics.test(stream.topic()));
    found.forgotten.keySet().removeIf(stream -> !topics.test(stream.topic()));
    return found;
  }

  /** Drops the present streams of all other topics, because members may have forgotten them. */
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
   * Returns the whole content of each forgotten stream that no member has as far as it was
   * forgotten. A member that has a stream as far still sends its content, or a gap.
   */
  public List<Gap> gone() {
    return forgotten.values().stream()
        .filter(gap -> present.getOrDefault(gap.stream(), Position.START).isBefore(gap.to()))
        .toList();
  }

  /** Returns the messages that report these ends to a neighbour; at least one. */
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
