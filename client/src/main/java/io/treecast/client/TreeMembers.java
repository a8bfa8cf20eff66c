package io.treecast.client;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The members of the committed tree, as the agent reports them. Watches the tree from the creation
 * of this object until the client is closed. Safe for use by several threads.
 */
final class TreeMembers {
  /**
   * The members at one moment.
   *
   * @param self the agent that this client uses
   * @param all the members of its committed tree; empty if it has no tree
   */
  record View(String self, SortedSet<String> all) {}

  private final Subscription watch;
  private final CompletableFuture<View> first = new CompletableFuture<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile View latest = new View("", Collections.emptySortedSet());

  TreeMembers(Treecast treecast) {
    this(treecast, () -> {});
  }

  /**
   * Creates an instance with a listener, which may be called before this constructor returns.
   *
   * @param listener as in {@link #onChange}
   */
  TreeMembers(Treecast treecast, Runnable listener) {
    listeners.add(listener);
    watch = treecast.watchTree(this::changed);
    var unused = watch.done().whenComplete((done, error) -> fail(error));
  }

  private void fail(Throwable error) {
    first.completeExceptionally(
        error == null
            ? new TreecastException(TreecastException.Reason.CLOSED, "the client was closed")
            : error);
  }

  private void changed(TreeView tree) {
    SortedSet<String> all = new TreeSet<>();
    if (tree.hasTree()) {
      all.add(tree.nodeId());
      tree.edges().forEach(edge -> Collections.addAll(all, edge.low(), edge.high()));
    }
    latest = new View(tree.nodeId(), Collections.unmodifiableSortedSet(all));
    if (tree.hasTree()) {
      first.complete(latest);
    }
    listeners.forEach(Runnable::run);
  }

  /** Returns a future that completes with the first tree. */
  CompletableFuture<View> first() {
    return first;
  }

  /** Returns whether the watch has ended, for example because permission was denied. */
  boolean isOver() {
    return watch.done().isDone();
  }

  /** Completes when the watch has ended. */
  CompletableFuture<@Nullable Void> done() {
    return watch.done();
  }

  void close() {
    watch.close();
  }

  View latest() {
    return latest;
  }

  /** Calls the listener after each later change, on the thread of the watch. */
  void onChange(Runnable listener) {
    listeners.add(listener);
  }

  void removeListener(Runnable listener) {
    listeners.remove(listener);
  }
}
