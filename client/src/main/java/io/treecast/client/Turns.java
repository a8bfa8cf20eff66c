package io.treecast.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who has one of a few places where more want one. Who has had a place for a turn gives it up, if
 * others wait, and waits behind them. Who is in a hurry comes before all that are not, and keeps
 * its place.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <T> compared by identity, or as if
 */
final class Turns<T> {
  private final int places;
  private final long turnNanos;

  /** Since when each has its place, the oldest first. */
  private final Map<T, Long> placed = new LinkedHashMap<>();

  // Without a place, the next first.
  private final Set<T> waiting = new LinkedHashSet<>();
  private final Set<T> waitingInHurry = new LinkedHashSet<>();

  private final Set<T> inHurry = new HashSet<>();

  /**
   * Nobody is there.
   *
   * @param turnNanos how long a place is kept at least
   */
  Turns(int places, long turnNanos) {
    this.places = places;
    this.turnNanos = turnNanos;
  }

  /** Wants a place. */
  void join(T who) {
    waiting.add(who);
  }

  /** Cannot wait any longer; does nothing if it is not there. */
  void hurry(T who) {
    if (waiting.remove(who)) {
      waitingInHurry.add(who);
      inHurry.add(who);
    } else if (placed.containsKey(who)) {
      inHurry.add(who);
    }
  }

  /** Wants no place any more; does nothing if it is not there. */
  void leave(T who) {
    placed.remove(who);
    waiting.remove(who);
    waitingInHurry.remove(who);
    inHurry.remove(who);
  }

  boolean hasPlace(T who) {
    return placed.containsKey(who);
  }

  boolean isAnyWaiting() {
    return !waiting.isEmpty() || !waitingInHurry.isEmpty();
  }

  /** All, with a place or without. */
  List<T> all() {
    List<T> all = new ArrayList<>(placed.keySet());
    all.addAll(waitingInHurry);
    all.addAll(waiting);
    return all;
  }

  /** Passes places on, as far as it is time, and returns who got or lost one. */
  List<T> passOn(long nowNanos) {
    List<T> changed = new ArrayList<>();
    while (isAnyWaiting()) {
      boolean hurries = !waitingInHurry.isEmpty();
      if (placed.size() == places) {
        T yielding = whoYields(hurries, nowNanos);
        if (yielding == null) {
          break;
        }
        placed.remove(yielding);
        waiting.add(yielding);
        changed.add(yielding);
      }
      Set<T> from = hurries ? waitingInHurry : waiting;
      T next = from.iterator().next();
      from.remove(next);
      placed.put(next, nowNanos);
      changed.add(next);
    }
    return changed;
  }

  /** The oldest that does; null if none. */
  private @Nullable T whoYields(boolean toHurry, long nowNanos) {
    for (Map.Entry<T, Long> one : placed.entrySet()) {
      if (!inHurry.contains(one.getKey())) {
        return toHurry || nowNanos - one.getValue() >= turnNanos ? one.getKey() : null;
      }
    }
    return null;
  }
}
