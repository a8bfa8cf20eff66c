package io.treecast.client;

import io.treecast.client.TreecastException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The latest view of a membership, and the waits for others. For any thread. */
final class GroupViews implements GroupHandler {
  private record Waiter(Predicate<GroupView> wanted, CompletableFuture<GroupView> view) {}

  private final List<GroupHandler> handlers = new CopyOnWriteArrayList<>();

  /** Held while handlers run, so that each receives the views in order. */
  private final Object turn = new Object();

  // Guarded by this.
  private final List<Waiter> waiters = new ArrayList<>();
  private @Nullable GroupView latest;
  private @Nullable Throwable ended;

  synchronized @Nullable GroupView latest() {
    return latest;
  }

  /** Returns a future of the first view, including the present one, that meets a condition. */
  CompletableFuture<GroupView> next(Predicate<GroupView> wanted) {
    CompletableFuture<GroupView> view = new CompletableFuture<>();
    Waiter waiter = new Waiter(wanted, view);
    GroupView known;
    Throwable why;
    synchronized (this) {
      why = ended;
      known = latest != null && wanted.test(latest) ? latest : null;
      if (known == null && why == null) {
        waiters.add(waiter);
      }
    }
    if (why != null) {
      view.completeExceptionally(why);
    } else if (known != null) {
      view.complete(known);
    }
    var unused = view.whenComplete((found, error) -> remove(waiter));
    return view;
  }

  private synchronized void remove(Waiter waiter) {
    waiters.remove(waiter);
  }

  /** Fails all waits because the membership has ended. */
  void end(String path, @Nullable Throwable error) {
    Throwable why =
        error != null
            ? error
            : new TreecastException(
                Reason.CLOSED, "the membership of group " + path + " has ended: join it again");
    List<Waiter> left;
    synchronized (this) {
      ended = why;
      left = List.copyOf(waiters);
    }
    left.forEach(waiter -> waiter.view().completeExceptionally(why));
  }

  /** Calls a handler for each view, including the present one. */
  void add(GroupHandler handler) {
    synchronized (turn) {
      handlers.add(handler);
      GroupView known = latest();
      if (known != null) {
        handler.onView(known, Set.copyOf(known.members()), Set.of());
      }
    }
  }

  @Override
  public void onView(GroupView view, Set<String> joined, Set<String> left) {
    synchronized (turn) {
      List<Waiter> met = new ArrayList<>();
      synchronized (this) {
        latest = view;
        waiters.stream().filter(waiter -> waiter.wanted().test(view)).forEach(met::add);
      }
      met.forEach(waiter -> waiter.view().complete(view));
      handlers.forEach(handler -> handler.onView(view, joined, left));
    }
  }

  @Override
  public void onInterrupted(String reason) {
    if (handlers.isEmpty()) {
      GroupHandler.super.onInterrupted(reason);
    }
    handlers.forEach(handler -> handler.onInterrupted(reason));
  }

  @Override
  public void onRefused(String reason) {
    if (handlers.isEmpty()) {
      GroupHandler.super.onRefused(reason);
    }
    handlers.forEach(handler -> handler.onRefused(reason));
  }

  @Override
  public void onUnavailable(TreecastException why) {
    if (handlers.isEmpty()) {
      GroupHandler.super.onUnavailable(why);
    }
    handlers.forEach(handler -> handler.onUnavailable(why));
  }

  @Override
  public void onResumed() {
    handlers.forEach(ConnectionListener::onResumed);
  }
}
