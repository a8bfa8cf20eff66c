package io.treecast.jobs.schedule;

import java.util.ArrayDeque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait at a member for a worker or a thief, and the divided ones whose results can
 * be combined. It returns only tasks whose outcome still counts.
 */
final class TaskQueue<T, R> {
  /** The waiting tasks, oldest first. */
  private final ArrayDeque<Task<T, R>> waiting = new ArrayDeque<>();

  private final ArrayDeque<Task<T, R>> complete = new ArrayDeque<>();
  private int longest;

  void addNewest(Task<T, R> task) {
    waiting.addLast(task);
    longest = Math.max(longest, waiting.size());
  }

  void addOldest(Task<T, R> task) {
    waiting.addFirst(task);
    longest = Math.max(longest, waiting.size());
  }

  /** Adds a divided task whose children all have results. */
  void addComplete(Task<T, R> task) {
    complete.addLast(task);
  }

  /** Removes the next task for a worker; null if there is none. */
  @Nullable Task<T, R> pollNewest() {
    return needed(waiting::pollLast);
  }

  /** Removes the next task for a thief; null if there is none. */
  @Nullable Task<T, R> pollOldest() {
    return needed(waiting::pollFirst);
  }

  /** Removes a task whose results can be combined; null if there is none. */
  @Nullable Task<T, R> pollComplete() {
    return needed(complete::pollLast);
  }

  private static <T, R> @Nullable Task<T, R> needed(Supplier<@Nullable Task<T, R>> next) {
    Task<T, R> task = next.get();
    while (task != null && task.isObsolete()) {
      task = next.get();
    }
    return task;
  }

  void dropObsolete() {
    waiting.removeIf(Task::isObsolete);
    complete.removeIf(Task::isObsolete);
  }

  boolean isEmpty() {
    return waiting.isEmpty() && complete.isEmpty();
  }

  /** Returns the maximum number of tasks that have waited. */
  int longest() {
    return longest;
  }
}
