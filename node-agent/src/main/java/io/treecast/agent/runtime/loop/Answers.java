package io.treecast.agent.runtime.loop;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What the loop is asked and answers. Thread-safe.
 *
 * @param loop of the agent
 */
public record Answers(EventLoop loop) {
  /**
   * Asks on the loop, which completes the answer: what depends on it runs there too, and must not
   * wait for anything. Fails if the loop has stopped or has too much to do.
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
   * The same answer, completed by another thread: what an application has depend on it may take its
   * time, or close the agent. One that is there already is there at once.
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
