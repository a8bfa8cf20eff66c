package io.treecast.client;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Which future a caller gets of a call, whose own future ends on a thread of the client. */
interface CallFuture {
  /** The one to hand over; whoever ends it ends the call. */
  <T extends @Nullable Object> CompletableFuture<T> of(CompletableFuture<T> own);

  /** That of the client, for callers that wait and chain nothing that blocks. */
  static <T extends @Nullable Object> CompletableFuture<T> own(CompletableFuture<T> own) {
    return own;
  }
}
