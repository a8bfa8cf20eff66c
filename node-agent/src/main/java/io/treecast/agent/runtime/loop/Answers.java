package io.treecast.agent.runtime.loop;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Queries to the loop, and their answers. Thread-safe.
 *
 * @param loop the agent's event loop
 */
public record Answers(EventLoop loop) {
  /**
   * Runs a query on the loop, which completes the answer there: callbacks must not block. Fails if
   * the loop has stopped or is overloaded.
   */
  public <T> CompletableFuture<T> of(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    loop.offer(
        () -> answer.complete(question.get()),
        () ->
            answer.completeExceptionally(
                new IllegalStateException("the agent has stopped or is overloaded")));
    return answer;
  }

  /**
   * Returns a future that another thread completes with the answer: callbacks of applications may
   * block, or close the agent. An answer that is already complete is returned as it is.
   */
  public static <T> CompletableFuture<T> offLoop(CompletableFuture<T> answer) {
    if (answer.isDone()) {
      return answer.copy();
    }
    CompletableFuture<T> copy = new CompletableFuture<>();
    var unused =
        answer.whenCompleteAsync(
            (value, failure) -> {
              if (failure == null) {
                copy.complete(value);
              } else {
                copy.completeExceptionally(failure);
              }
            });
    return copy;
  }
}
