package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.Operation;
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
  private final Map<String, OperationState> byName = new LinkedHashMap<>();

  /** Operations under way of which nothing is kept here, the oldest first. */
  private final TreeSet<OperationState> idle =
      new TreeSet<>(Comparator.comparingLong(state -> state.number));

  /** Operations at rest, the longest first. */
  private final LinkedHashSet<OperationState> atRest = new LinkedHashSet<>();

  private final TreeSet<OperationState> due =
      new TreeSet<>(
          Comparator.<OperationState>comparingLong(s -> s.dueNanos)
              .thenComparingLong(s -> s.number));

  private long keptBytes;
  private long begun;

  Operations(NodeId self, CombiningLimits limits) {
    this.self = self;
    this.limits = limits;
  }

  @Nullable OperationState find(String name) {
    return byName.get(name);
  }

  /** Returns the operation of this name, or a new one; null if there is no room for one. */
  @Nullable OperationState findOrBegin(Operation operation) {
    OperationState known = byName.get(operation.name());
    if (known != null) {
      return known;
    }
    if (underWayCount() >= limits.operations() && !forgetIdle(null)) {
      return null;
    }
    Combination combination = new Combination(operation, limits.valueBytes());
    OperationState begins = new OperationState(operation, combination, ++begun);
    byName.put(operation.name(), begins);
    count(begins);
    return begins;
  }

  /**
   * Returns the operations that are not at rest, in the order in which they began here; including
   * those that are no longer at rest because the tree or a stream has changed.
   */
  List<OperationState> underWay() {
    return byName.values().stream()
        .filter(state -> !atRest.contains(state) || !state.isAtRest(self))
        .toList();
  }

  /**
   * Returns all operations, including those at rest, which have sent messages and may be asked
   * again.
   */
  Collection<OperationState> all() {
    return byName.values();
  }

  /** Returns whether the operation of this name is known, and not at rest. */
  boolean isUnderWay(String name) {
    OperationState known = byName.get(name);
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
  boolean hasRoomFor(OperationState state) {
    count(state);
    makeRoom(limits.totalBytes(), state);
    boolean more = true;
    while (keptBytes > limits.totalBytes() && more) {
      more = forgetIdle(state);
    }
    return keptBytes <= limits.totalBytes();
  }

  /**
   * Reserves room for content of an operation that was dropped for lack of room; returns whether
   * there is room. While no other operation is under way there always is, because the memory is
   * meant for many.
   */
  boolean reserve(OperationState state) {
    long before = state.reservedBytes;
    state.reservedBytes = state.leftBytes;
    if (before == state.leftBytes || hasRoomFor(state) || underWayCount() == 1) {
      return true;
    }
    state.reservedBytes = before;
    count(state);
    return false;
  }

  /** Evicts the oldest idle operation under way except this one; returns whether there was one. */
  private boolean forgetIdle(@Nullable OperationState except) {
    OperationState oldest = first(idle, except);
    if (oldest != null) {
      forget(oldest);
    }
    return oldest != null;
  }

  private static @Nullable OperationState first(
      Collection<OperationState> some, @Nullable OperationState except) {
    for (OperationState state : some) {
      if (state != except) {
        return state;
      }
    }
    return null;
  }

  /** Updates the size and the due time of a changed operation. */
  void changed(OperationState state) {
    count(state);
    if (!isKept(state)) {
      return; // It was evicted.
    }
    if (state.isAtRest(self)) {
      atRest.add(state);
    } else {
      atRest.remove(state);
    }
    if (state.isIdle()) {
      idle.add(state);
    } else {
      idle.remove(state);
    }
    due.remove(state);
    state.dueNanos = state.nextDueNanos(self);
    if (state.dueNanos < Long.MAX_VALUE) {
      due.add(state);
    }
    makeRoom(limits.totalBytes() / 2, null); // Half is for operations under way.
  }

  private void count(OperationState state) {
    long bytes = isKept(state) ? state.bytes() : 0;
    keptBytes += bytes - state.countedBytes;
    state.countedBytes = bytes;
  }

  private boolean isKept(OperationState state) {
    return byName.get(state.operation.name()) == state;
  }

  private void makeRoom(long mostBytes, @Nullable OperationState except) {
    while (keptBytes > mostBytes || atRest.size() > limits.operations()) {
      OperationState oldest = first(atRest, except);
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
    for (OperationState state : List.copyOf(byName.values())) {
      if (state.outcome != null
          && !state.operation.isFor(self)
          && isAffected.test(state.operation)) {
        state.outcome = null;
        if (state.isIdle() && !state.overdue) {
          forget(state);
        } else {
          changed(state);
        }
      }
    }
  }

  void forget(OperationState state) {
    byName.remove(state.operation.name());
    atRest.remove(state);
    idle.remove(state);
    due.remove(state);
    keptBytes -= state.countedBytes;
    state.countedBytes = 0;
  }

  /** Returns when the first operation is due; MAX_VALUE for never. */
  long nextDueNanos() {
    return due.isEmpty() ? Long.MAX_VALUE : due.first().dueNanos;
  }

  /** Returns the first operation that is due by now; null if there is none. */
  @Nullable OperationState due(long nowNanos) {
    return nextDueNanos() <= nowNanos ? due.first() : null;
  }
}
