package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Derives the future that a caller gets from the client's own future of a call, which ends on a
 * thread of the client.
 */
interface CallFuture {
  /** Returns the future to hand over; completing it ends the call. */
  <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own);

  /** Returns the client's own future, for callers that wait and chain no blocking callbacks. */
  static <T extends @Nullable Object> CompletableFuture<T> own(CompletableFuture<T> own) {
    return own;
  }
}
