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
 * The streams of which the other side of an outlet does not get what it lacks up to a place, and
 * has not been told so yet; in the order in which it is told.
 *
 * <p>Of those that the log has forgotten, this is all that is left. The log forgets no stream that
 * would be one too many of them ({@link ReplicationLog#mostForgotten}).
 */
final class MissedStreams {
  private final LinkedHashMap<StreamLog, MissedReason> reasons = new LinkedHashMap<>();

  /** Up to where streams were skipped. */
  private final Map<StreamLog, Position> skippedTo = new HashMap<>();

  private final Set<StreamLog> forgotten = new LinkedHashSet<>();

  boolean isEmpty() {
    return reasons.isEmpty();
  }

  boolean contains(StreamLog stream) {
    return reasons.containsKey(stream);
  }

  /** The one that is told next; there is one. */
  StreamLog first() {
    return reasons.keySet().iterator().next();
  }

  /** How many of them the log has forgotten. */
  int forgotten() {
    return forgotten.size();
  }

  /**
   * Finds the streams of which the log has not all that the other side lacks; of those that it has
   * forgotten, only if the other side is known to have some.
   *
   * @param isMeant what the other side wants
   * @param next what it has
   * @param isMember whether it is a member; one that has none of a forgotten stream is told, too,
   *     if others may wait for what it lacks
   */
  void find(
      ReplicationLog log,
      Predicate<StreamLog> isMeant,
      Function<StreamLog, Position> next,
      boolean isMember) {
    for (StreamLog stream : log.streams()) {
      if (isMeant.test(stream) && next.apply(stream).isBefore(stream.retainedFrom())) {
        putIfAbsent(stream, MissedReason.NOT_RETAINED);
      }
    }
    for (StreamLog left : log.forgotten()) {
      Position has = next.apply(left);
      boolean isKnown = Position.START.isBefore(has) || (isMember && left.gaveWay());
      if (isKnown && has.isBefore(left.next()) && isMeant.test(left)) {
        forgotten(left, MissedReason.NOT_RETAINED);
      }
    }
  }

  /** What the log does not retain of the stream is missed, at least. */
  void putIfAbsent(StreamLog stream, MissedReason reason) {
    reasons.putIfAbsent(stream, reason);
  }

  /** Everything that there is of the stream is missed, since it is skipped. */
  void skip(StreamLog stream) {
    reasons.put(stream, MissedReason.SKIPPED);
    skippedTo.put(stream, stream.next());
  }

  /** Everything that there was is missed of a stream that was forgotten. */
  void forgotten(StreamLog left, MissedReason reason) {
    reasons.putIfAbsent(left, reason);
    forgotten.add(left);
  }

  MissedReason reason(StreamLog stream) {
    return reasons.getOrDefault(stream, MissedReason.NOT_RETAINED);
  }

  /** What is missed from a place on; null if nothing is. */
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

  void removeIf(Predicate<StreamLog> isMeant) {
    reasons.keySet().removeIf(isMeant);
    skippedTo.keySet().removeIf(isMeant);
    forgotten.removeIf(isMeant);
  }

  /** Only what the log does not tell by itself is known still. */
  void keepForgotten() {
    removeIf(stream -> !forgotten.contains(stream));
  }
}
