package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.Position;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The streams of which the other side of an outlet misses content, and for which the gap has not
 * been sent yet, in the order of sending.
 *
 * <p>For a stream that the log has forgotten, only this entry remains. There are at most {@link
 * ReplicationLog#mostForgotten} such entries; beyond that, the log does not forget a stream.
 */
final class MissedStreams {
  private final LinkedHashMap<StreamLog, MissedReason> reasons = new LinkedHashMap<>();

  /** The place up to which each skipped stream was skipped. */
  private final Map<StreamLog, Position> skippedTo = new HashMap<>();

  private final Set<StreamLog> forgotten = new LinkedHashSet<>();

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  boolean contains(StreamLog stream) {
    return reasons.containsKey(stream);
  }

  /** Returns the stream whose gap is sent next; the set must not be empty. */
  StreamLog first() {
    return reasons.keySet().iterator().next();
  }

  /** Returns how many of the streams the log has forgotten. */
  int forgotten() {
    return forgotten.size();
  }

  /**
   * Adds the streams that the log does not have completely from the other side's position on. Among
   * forgotten streams, adds only those of which the other side is known to have some.
   *
   * @param matches selects the streams that the other side wants
   * @param next returns the position of the other side
   * @param isMember whether the other side is a member; one that has nothing of a forgotten stream
   *     gets a gap, too, if others may wait for that content
   */
  void find(
      ReplicationLog log,
      Predicate<StreamLog> matches,
      Function<StreamLog, Position> next,
      boolean isMember) {
    for (StreamLog stream : log.streams()) {
      if (matches.test(stream) && next.apply(stream).isBefore(stream.retainedFrom())) {
        putIfAbsent(stream, MissedReason.NOT_RETAINED);
      }
    }
    for (StreamLog left : log.forgotten()) {
      Position has = next.apply(left);
      boolean isKnown = Position.START.isBefore(has) || (isMember && left.isTruncated());
      if (isKnown && has.isBefore(left.next()) && matches.test(left)) {
        forgotten(left, MissedReason.NOT_RETAINED);
      }
    }
  }

  /** Adds a stream whose content that is not retained is missed. */
  void putIfAbsent(StreamLog stream, MissedReason reason) {
    reasons.putIfAbsent(stream, reason);
  }

  /** Adds a stream as skipped: everything here up to now is missed. */
  void skip(StreamLog stream) {
    reasons.put(stream, MissedReason.SKIPPED);
    skippedTo.put(stream, stream.next());
  }

  /** Adds a forgotten stream: all of its content is missed. */
  void forgotten(StreamLog left, MissedReason reason) {
    reasons.putIfAbsent(left, reason);
    forgotten.add(left);
  }

  MissedReason reason(StreamLog stream) {
    return reasons.getOrDefault(stream, MissedReason.NOT_RETAINED);
  }

  /** Returns the part that is missed from a place on; null if there is none. */
  @Nullable Gap gap(StreamLog stream, Position from) {
    Position skipped = skippedTo.getOrDefault(stream, Position.START);
    Position retained = stream.retainedFrom();
    boolean isSkipped = retained.isBefore(skipped);
    Position to = isSkipped ? skipped : retained;
    long treeVersion = isSkipped ? stream.latestVersion() : stream.evictedVersion();
    return from.isBefore(to) ? new Gap(stream.id(), from, to, treeVersion) : null;
  }

  void remove(StreamLog stream) {
    reasons.remove(stream);
    skippedTo.remove(stream);
    forgotten.remove(stream);
  }

  void removeIf(Predicate<StreamLog> matches) {
    reasons.keySet().removeIf(matches);
    skippedTo.keySet().removeIf(matches);
    forgotten.removeIf(matches);
  }

  /** Removes all streams but forgotten ones; the log still knows the others. */
  void keepForgotten() {
    removeIf(stream -> !forgotten.contains(stream));
  }
}
