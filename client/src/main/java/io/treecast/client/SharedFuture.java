package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A result that any number of callers ask for, perhaps for ever: they get the same future, so none
 * adds to what its owner remembers. So nobody but the owner can end it; what would, gives another
 * future, or does nothing. Safe for use by several threads.
 */
final class SharedFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final CompletableFuture<T> own;

  private SharedFuture(CompletableFuture<T> own) {
    this.own = own;
  }

  /** Ends as the client's own future does. */
  static <T extends @Nullable Object> SharedFuture<T> of(CompletableFuture<T> own) {
    SharedFuture<T> shared = new SharedFuture<>(own);
    PublicFuture.whenOver(own, shared::succeed, shared::fail);
    return shared;
  }

  /** What an application gets: this one, or if it is over, one that shows so at once. */
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
    throw new UnsupportedOperationException("only the subscription ends it; do that to its copy()");
  }

  @Override
  public void obtrudeException(Throwable why) {
    throw new UnsupportedOperationException("only the subscription ends it; do that to its copy()");
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
