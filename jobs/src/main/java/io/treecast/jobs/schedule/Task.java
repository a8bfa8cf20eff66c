package io.treecast.jobs.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task at the member that runs or lends it, with the results of its children once it is divided.
 * Only the first outcome counts: a later one may come from a thief that was taken for lost.
 */
final class Task<T, R> {
  final Held<R> held;
  final @Nullable Task<T, R> parent;
  private final int index;
  final T value;
  final int depth;

  /** The last loan of this task; null if it was never lent. */
  @Nullable Loan<T, R> loan;

  private boolean hasOutcome;

  /** The results of the children, in their order; null while the task is not divided. */
  private @Nullable List<@Nullable R> results;

  private int missing;

  private Task(Held<R> held, @Nullable Task<T, R> parent, int index, T value, int depth) {
    this.held = held;
    this.parent = parent;
    this.index = index;
    this.value = value;
    this.depth = depth;
  }

  static <T, R> Task<T, R> first(Held<R> held, T value, int depth) {
    return new Task<>(held, null, 0, value, depth);
  }

  /** Returns the children, in the order in which their results will be combined. */
  List<Task<T, R>> divide(List<T> values) {
    results = new ArrayList<>();
    missing = values.size();
    List<Task<T, R>> children = new ArrayList<>();
    for (T value : values) {
      results.add(null);
      children.add(new Task<>(held, this, children.size(), value, depth + 1));
    }
    return children;
  }

  /**
   * Takes over the result of a child. Returns whether all children have one now.
   *
   * @param child a child without an outcome
   */
  boolean take(Task<T, R> child, R result) {
    Objects.requireNonNull(results).set(child.index, result);
    missing--;
    return missing == 0;
  }

  /** Returns the results of all children. */
  List<R> results() {
    List<R> all = new ArrayList<>();
    Objects.requireNonNull(results).forEach(each -> all.add(Objects.requireNonNull(each)));
    return all;
  }

  void hasOutcome() {
    hasOutcome = true;
  }

  /** Returns whether an outcome of this task would no longer count. */
  boolean isObsolete() {
    if (held.isOver) {
      return true;
    }
    for (Task<T, R> task = this; task != null; task = task.parent) {
      if (task.hasOutcome) {
        return true;
      }
    }
    return false;
  }
}
