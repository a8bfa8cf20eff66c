package io.treecast.collectives.broadcast.order;

import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.message.OrderEntry;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The places of a topic's order that were assigned in the present epoch and are not decided at this
 * member yet: each waits for earlier ones and for its message.
 */
final class UndecidedOrder {
  /**
   * An undecided place.
   *
   * @param sinceVersion as {@link DecidedOrder.Place#sinceVersion}
   * @param wasHere whether its message has been here, or was missed; the log may forget that before
   *     its turn
   */
  private record Place(OrderEntry entry, long sinceVersion, boolean wasHere) {}

  private final ReplicationLog log;
  private final DecidedOrder decided;
  private final ArrayDeque<Place> places = new ArrayDeque<>();

  /**
   * Creates an empty order.
   *
   * @param decided the order that the places continue
   */
  UndecidedOrder(ReplicationLog log, DecidedOrder decided) {
    this.log = log;
    this.decided = decided;
  }

  /** Drops all places, because another epoch begins, or the same one restarts. */
  void clear() {
    places.clear();
  }

  int size() {
    return places.size();
  }

  /** Returns all places, in order. */
  List<OrderEntry> entries() {
    return places.stream().map(Place::entry).toList();
  }

  /** Returns the places that were assigned with this version. */
  List<OrderEntry> entriesSince(long sinceVersion) {
    return places.stream()
        .filter(place -> place.sinceVersion == sinceVersion)
        .map(Place::entry)
        .toList();
  }

  /** Appends places. */
  void add(Iterable<OrderEntry> entries, long sinceVersion) {
    entries.forEach(
        entry ->
            places.add(new Place(entry, sinceVersion, isHere(entry, log.next(entry.stream())))));
  }

  private static boolean isHere(OrderEntry entry, Position next) {
    return !next.isBefore(entry.end());
  }

  /**
   * Notes that the stream was forgotten, or never will be here: content that was here, or is
   * missed, keeps its places, for members that have it.
   *
   * @param had the position up to which it was here, or is missed
   */
  void leave(StreamId stream, Position had) {
    List<Place> all = List.copyOf(places);
    places.clear();
    for (Place place : all) {
      OrderEntry entry = place.entry;
      boolean wasHere = entry.stream().equals(stream) && isHere(entry, had);
      places.add(new Place(entry, place.sinceVersion, place.wasHere || wasHere));
    }
  }

  /**
   * Decides the places whose turn it is, in order, until a message is not here.
   *
   * @param advanced called with each stream of which more is decided
   * @return whether any place was decided
   */
  boolean decide(Consumer<StreamId> advanced) {
    boolean any = false;
    for (Place next = places.peek(); next != null; next = places.peek()) {
      StreamId stream = next.entry.stream();
      Position before = decided.end(stream);
      if (!decided.decide(next.entry, next.sinceVersion)) {
        if (!next.wasHere) {
          break;
        }
        decided.pass(next.entry, next.sinceVersion);
      }
      places.remove();
      if (before.isBefore(decided.end(stream))) {
        any = true;
        advanced.accept(stream);
      }
    }
    return any;
  }
}
