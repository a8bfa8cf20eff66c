package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A result that any number of callers may request: all receive the same future, so the owner's
 * memory does not grow. Only the owner can complete it; methods that would complete it return
 * another future, or have no effect. Safe for use by several threads.
 */
final class SharedFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final CompletableFuture<T> own;

  private SharedFuture(CompletableFuture<T> own) {
    this.own = own;
  }

  /** Returns a future that completes like the client's own. */
  static <T extends @Nullable Object> SharedFuture<T> of(CompletableFuture<T> own) {
    SharedFuture<T> shared = new SharedFuture<>(own);
    PublicFuture.whenOver(own, shared::succeed, shared::fail);
    return shared;
  }

  /**
   * Returns the future for an application: this one or, if the result is known, a completed one.
   */
  CompletableFuture<T> given() {
    return own.isDone() ? PublicFuture.of(own) : this;
  }

  private void succeed(T value) {
    super.complete(value);
  }

  private void fail(Throwable why) {
    super.completeExceptionally(why);
  }

  @Override
  public boolean complete(T value) {
    return false;
  }

  @Override
  public boolean completeExceptionally(Throwable why) {
    return false;
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return false;
  }

  @Override
  public void obtrudeValue(T value) {
    throw new UnsupportedOperationException(
        "only the subscription completes it; complete its copy()");
  }

  @Override
  public void obtrudeException(Throwable why) {
    throw new UnsupportedOperationException(
        "only the subscription completes it; complete its copy()");
  }

  @Override
  public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
    return copy().orTimeout(timeout, unit);
  }

  @Override
  public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
    return copy().completeOnTimeout(value, timeout, unit);
  }

  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> value, Executor executor) {
    return copy().completeAsync(value, executor);
  }

  @Override
  public CompletableFuture<T> completeAsync(Supplier<? extends T> value) {
    return copy().completeAsync(value);
  }
}
