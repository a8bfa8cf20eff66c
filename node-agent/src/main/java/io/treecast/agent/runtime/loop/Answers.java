package io.treecast.agent.runtime.loop;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Questions to the loop, and its answers. Thread-safe.
 *
 * @param loop of the agent
 */
public record Answers(EventLoop loop) {
  /**
   * Asks on the loop, which completes the answer: callbacks run there too, and must not wait. Fails
   * if the loop has stopped or has too much to do.
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
   * Returns the answer, completed by another thread: an application's callbacks may take their
   * time, or close the agent. An answer that is complete stays so.
   */
  public static <T> CompletableFuture<T> awayFromLoop(CompletableFuture<T> answer) {
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
