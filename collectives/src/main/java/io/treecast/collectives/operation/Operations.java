package io.treecast.collectives.operation;

import io.treecast.ghs.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a member knows, within its limits.
 *
 * <p>Operations at rest are kept for late participants; the one at rest for the longest time is
 * evicted first.
 */
final class Operations {
  private final NodeId self;
  private final CombiningLimits limits;

  /** The operations by name, in the order in which they began here. */
  private final Map<String, Standing> byName = new LinkedHashMap<>();

  /** Operations under way of which nothing is kept here, the oldest first. */
  private final TreeSet<Standing> idle =
      new TreeSet<>(Comparator.comparingLong(standing -> standing.number));

  /** Operations at rest, the longest first. */
  private final LinkedHashSet<Standing> atRest = new LinkedHashSet<>();

  private final TreeSet<Standing> due =
      new TreeSet<>(
          Comparator.<Standing>comparingLong(s -> s.dueNanos).thenComparingLong(s -> s.number));

  private long keptBytes;
  private long begun;

  Operations(NodeId self, CombiningLimits limits) {
    this.self = self;
    this.limits = limits;
  }

  @Nullable Standing find(String name) {
    return byName.get(name);
  }

  /** Returns the operation of this name, or a new one; null if there is no room for one. */
  @Nullable Standing findOrBegin(Operation operation) {
    Standing known = byName.get(operation.name());
    if (known != null) {
      return known;
    }
    if (underWayCount() >= limits.operations() && !forgetIdle(null)) {
      return null;
    }
    Combination combination = new Combination(operation, limits.valueBytes());
    Standing begins = new Standing(operation, combination, ++begun);
    byName.put(operation.name(), begins);
    count(begins);
    return begins;
  }

  /**
   * Returns the operations that are not at rest, in the order in which they began here; including
   * those that are no longer at rest because the tree or a stream has changed.
   */
  List<Standing> underWay() {
    return byName.values().stream()
        .filter(standing -> !atRest.contains(standing) || !standing.isAtRest(self))
        .toList();
  }

  /**
   * Returns all operations, including those at rest, which have sent messages and may be asked
   * again.
   */
  Collection<Standing> all() {
    return byName.values();
  }

  /** Returns whether the operation of this name is known, and not at rest. */
  boolean isUnderWay(String name) {
    Standing known = byName.get(name);
    return known != null && !atRest.contains(known);
  }

  int underWayCount() {
    return byName.size() - atRest.size();
  }

  long keptBytes() {
    return keptBytes;
  }

  /**
   * Returns whether there is room for the present size of an operation; evicts others at rest for
   * it.
   */
  boolean hasRoomFor(Standing standing) {
    count(standing);
    makeRoom(limits.totalBytes(), standing);
    boolean more = true;
    while (keptBytes > limits.totalBytes() && more) {
      more = forgetIdle(standing);
    }
    return keptBytes <= limits.totalBytes();
  }

  /**
   * Reserves room for content of an operation that was dropped for lack of room; returns whether
   * there is room. While no other operation is under way there always is, because the memory is
   * meant for many.
   */
  boolean reserve(Standing standing) {
    long before = standing.reservedBytes;
    standing.reservedBytes = standing.leftBytes;
    if (before == standing.leftBytes || hasRoomFor(standing) || underWayCount() == 1) {
      return true;
    }
    standing.reservedBytes = before;
    count(standing);
    return false;
  }

  /** Evicts the oldest idle operation under way except this one; returns whether there was one. */
  private boolean forgetIdle(@Nullable Standing except) {
    Standing oldest = first(idle, except);
    if (oldest != null) {
      forget(oldest);
    }
    return oldest != null;
  }

  private static @Nullable Standing first(Collection<Standing> some, @Nullable Standing except) {
    for (Standing standing : some) {
      if (standing != except) {
        return standing;
      }
    }
    return null;
  }

  /** Updates the size and the due time of a changed operation. */
  void changed(Standing standing) {
    count(standing);
    if (!isKept(standing)) {
      return; // It was evicted.
    }
    if (standing.isAtRest(self)) {
      atRest.add(standing);
    } else {
      atRest.remove(standing);
    }
    if (standing.isIdle()) {
      idle.add(standing);
    } else {
      idle.remove(standing);
    }
    due.remove(standing);
    standing.dueNanos = standing.nextDueNanos(self);
    if (standing.dueNanos < Long.MAX_VALUE) {
      due.add(standing);
    }
    makeRoom(limits.totalBytes() / 2, null); // Half is for operations under way.
  }

  private void count(Standing standing) {
    long bytes = isKept(standing) ? standing.bytes() : 0;
    keptBytes += bytes - standing.countedBytes;
    standing.countedBytes = bytes;
  }

  private boolean isKept(Standing standing) {
    return byName.get(standing.operation.name()) == standing;
  }

  private void makeRoom(long mostBytes, @Nullable Standing except) {
    while (keptBytes > mostBytes || atRest.size() > limits.operations()) {
      Standing oldest = first(atRest, except);
      if (oldest == null) {
        return;
      }
      forget(oldest);
    }
  }

  /**
   * Drops outcomes of operations in which this member does not take part, since they belong to the
   * previous tree.
   *
   * @param isAffected whether the tree of an operation has changed
   */
  void forgetOutcomesOfOthers(Predicate<Operation> isAffected) {
    for (Standing standing : List.copyOf(byName.values())) {
      if (standing.outcome != null
          && !standing.operation.isFor(self)
          && isAffected.test(standing.operation)) {
        standing.outcome = null;
        if (standing.isIdle() && !standing.overdue) {
          forget(standing);
        } else {
          changed(standing);
        }
      }
    }
  }

  void forget(Standing standing) {
    byName.remove(standing.operation.name());
    atRest.remove(standing);
    idle.remove(standing);
    due.remove(standing);
    keptBytes -= standing.countedBytes;
    standing.countedBytes = 0;
  }

  /** Returns when the first operation is due; MAX_VALUE for never. */
  long nextDueNanos() {
    return due.isEmpty() ? Long.MAX_VALUE : due.first().dueNanos;
  }

  /** Returns the first operation that is due by now; null if there is none. */
  @Nullable Standing due(long nowNanos) {
    return nextDueNanos() <= nowNanos ? due.first() : null;
  }
}
