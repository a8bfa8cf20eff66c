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
 * Shares a few places among more elements, in turns. If others wait, an element gives its place up
 * after a turn, and waits behind them. An element in a hurry precedes all that are not, and keeps
 * its place.
 *
 * <p>Not safe for use by several threads.
 *
 * @param <T> compared by identity, or equivalently
 */
final class RotatingSlots<T> {
  private final int places;
  private final long turnNanos;

  /** Elements with a place, and the time since when, oldest first. */
  private final Map<T, Long> placed = new LinkedHashMap<>();

  // Elements without a place, next first.
  private final Set<T> waiting = new LinkedHashSet<>();
  private final Set<T> waitingInHurry = new LinkedHashSet<>();

  private final Set<T> inHurry = new HashSet<>();

  /**
   * Creates an instance without elements.
   *
   * @param turnNanos the minimum time for which a place is kept
   */
  RotatingSlots(int places, long turnNanos) {
    this.places = places;
    this.turnNanos = turnNanos;
  }

  /** Adds an element, which waits for a place. */
  void join(T element) {
    waiting.add(element);
  }

  /** Puts an element in a hurry; no effect if it is absent. */
  void prioritize(T element) {
    if (waiting.remove(element)) {
      waitingInHurry.add(element);
      inHurry.add(element);
    } else if (placed.containsKey(element)) {
      inHurry.add(element);
    }
  }

  /** Removes an element; no effect if it is absent. */
  void leave(T element) {
    placed.remove(element);
    waiting.remove(element);
    waitingInHurry.remove(element);
    inHurry.remove(element);
  }

  boolean hasPlace(T element) {
    return placed.containsKey(element);
  }

  boolean isAnyWaiting() {
    return !waiting.isEmpty() || !waitingInHurry.isEmpty();
  }

  /** Returns all elements, with or without a place. */
  List<T> all() {
    List<T> all = new ArrayList<>(placed.keySet());
    all.addAll(waitingInHurry);
    all.addAll(waiting);
    return all;
  }

  /**
   * Passes on places whose turns have ended, and returns the elements that have got or lost one.
   */
  List<T> passOn(long nowNanos) {
    List<T> changed = new ArrayList<>();
    while (isAnyWaiting()) {
      boolean hurries = !waitingInHurry.isEmpty();
      if (placed.size() == places) {
        T yielding = yieldingPlace(hurries, nowNanos);
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

  /** Returns the oldest element that gives up its place; null if there is none. */
  private @Nullable T yieldingPlace(boolean toHurry, long nowNanos) {
    for (Map.Entry<T, Long> one : placed.entrySet()) {
      if (!inHurry.contains(one.getKey())) {
        return toHurry || nowNanos - one.getValue() >= turnNanos ? one.getKey() : null;
      }
    }
    return null;
  }
}
