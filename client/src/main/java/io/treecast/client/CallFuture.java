package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Derives the future for a caller from the client's own future of a call, which completes on a
 * thread of the client.
 */
interface CallFuture {
  /** Returns the future for the caller; completing it ends the call. */
  <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own);

  /** Returns the client's own future, for callers that wait and do not chain blocking callbacks. */
  static <T extends @Nullable Object> CompletableFuture<T> own(CompletableFuture<T> own) {
    return own;
  }
}
