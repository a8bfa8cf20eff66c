package io.treecast.client;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A watch of members, which combines a watch of the tree and one of the labels. */
final class MemberWatch implements Subscription {
  private final Selector selector;
  private final MemberHandler handler;
  private final TreeMembers tree;
  private final Subscription labels;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private final SharedFuture<String> readyForAll = SharedFuture.of(ready);
  private final SharedFuture<@Nullable Void> doneForAll = SharedFuture.of(done);

  private volatile boolean isClosed;

  // Guarded by this.
  private final Map<String, Map<String, String>> byMember = new HashMap<>();
  private final Map<String, Member> reported = new TreeMap<>();
  private boolean labelsAreLive;
  private boolean isLive;

  MemberWatch(Treecast treecast, Values<String> values, Selector selector, MemberHandler handler) {
    this.selector = selector;
    this.handler = handler;
    // Nothing is reported before the labels are live, when both watches exist. From then on each
    // change of either leads to a report.
    this.tree = new TreeMembers(treecast, this::report);
    this.labels = values.watch(new LabelHandler());
    var unused = tree.done().whenComplete((ended, error) -> close());
    var unusedToo = labels.done().whenComplete((ended, error) -> close());
    var unusedAsWell =
        CompletableFuture.allOf(tree.done(), labels.done())
            .whenComplete((ended, error) -> end(error));
  }

  private final class LabelHandler implements EntryHandler<String> {
    @Override
    public void onEntry(ValueEntry<String> entry) {
      synchronized (MemberWatch.this) {
        Members.put(byMember, entry.key(), entry.value());
      }
      report();
    }

    @Override
    public void onRemoved(String key) {
      synchronized (MemberWatch.this) {
        int slash = key.indexOf('/');
        Map<String, String> its = slash < 0 ? null : byMember.get(key.substring(0, slash));
        if (its != null && its.remove(key.substring(slash + 1)) != null && its.isEmpty()) {
          byMember.remove(key.substring(0, slash));
        }
      }
      report();
    }

    @Override
    public void onLive() {
      synchronized (MemberWatch.this) {
        labelsAreLive = true;
      }
      report();
    }

    @Override
    public void onInterrupted(String reason) {
      handler.onInterrupted(reason);
    }

    @Override
    public void onRefused(String reason) {
      handler.onRefused(reason);
    }

    @Override
    public void onUnavailable(TreecastException why) {
      handler.onUnavailable(why);
    }

    @Override
    public void onResumed() {
      handler.onResumed();
    }
  }

  /** Reports the changes since the last report. The lock serializes the calls of the handler. */
  private synchronized void report() {
    if (isClosed || !labelsAreLive) {
      return;
    }
    TreeMembers.View present = tree.latest();
    if (present.all().isEmpty()) {
      return;
    }
    Map<String, Member> now = new TreeMap<>();
    Members.members(present.all(), byMember, selector)
        .forEach(member -> now.put(member.id(), member));
    for (Member before : Map.copyOf(reported).values()) {
      Member after = now.get(before.id());
      if (after == null) {
        reported.remove(before.id());
        tell(() -> handler.onLeft(before));
      } else if (!after.equals(before)) {
        reported.put(after.id(), after);
        tell(() -> handler.onChanged(before, after));
      }
    }
    for (Member member : now.values()) {
      if (reported.putIfAbsent(member.id(), member) == null) {
        tell(() -> handler.onJoined(member));
      }
    }
    if (!isLive) {
      isLive = true;
      tell(handler::onLive);
      ready.complete(present.self());
    }
  }

  /** Calls the handler, unless the watch was closed meanwhile. */
  private void tell(Runnable handlerCall) {
    if (!isClosed) {
      handlerCall.run();
    }
  }

  private void end(@Nullable Throwable wrapped) {
    Throwable error = wrapped instanceof CompletionException ? wrapped.getCause() : wrapped;
    TreecastException closed =
        new TreecastException(TreecastException.Reason.CLOSED, "the watch of members was closed");
    ready.completeExceptionally(error == null ? closed : error);
    if (error == null) {
      done.complete(null);
    } else {
      done.completeExceptionally(error);
    }
  }

  @Override
  public CompletableFuture<String> ready() {
    return readyForAll;
  }

  @Override
  public CompletableFuture<@Nullable Void> done() {
    return doneForAll;
  }

  @Override
  public void close() {
    isClosed = true; // Without the lock, which is held while the handler runs.
    tree.close();
    labels.close();
  }
}
