package io.treecast.client;

import io.treecast.proto.v1.CollectiveOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Determines the participants of collective operations. */
interface OperationScope {
  /** The members of the committed tree, or those that the options name. */
  OperationScope TREE =
      new OperationScope() {
        @Override
        public <T extends @Nullable Object> CompletableFuture<T> run(
            CollectiveOperation operation,
            CollectiveOptions options,
            Duration wait,
            OperationAttempt<T> attempt) {
          return attempt.start(operation, wait);
        }
      };

  /** Runs an operation with its participants; may take several attempts. */
  <T extends @Nullable Object> CompletableFuture<T> run(
      CollectiveOperation operation,
      CollectiveOptions options,
      Duration wait,
      OperationAttempt<T> attempt);
}
