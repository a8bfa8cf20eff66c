package io.treecast.client;

import io.treecast.proto.v1.CollectiveOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Starts a collective operation; cancelling its future cancels the operation.
 *
 * @param <T> the type of its result
 */
interface OperationAttempt<T extends @Nullable Object> {
  CompletableFuture<T> start(CollectiveOperation operation, Duration wait);
}
