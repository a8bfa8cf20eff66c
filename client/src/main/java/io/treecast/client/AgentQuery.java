package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A call that asks an agent once, and collects its answers. If the client switches to another agent
 * before it has sent the call, it asks that one.
 */
final class AgentQuery {
  private AgentQuery() {}

  /** Converts the failure of a call for its caller. */
  interface Failed {
    TreecastException of(CallFailure failure, AgentAddress agent, CallProgress progress);
  }

  /**
   * Asks the agent, when there is a connection.
   *
   * @param wait the total wait for the connection and all answers
   * @return fails with {@code CLOSED} after the close of the client
   */
  static <Q, A> CompletableFuture<List<A>> ask(
      AgentConnection connection,
      MethodDescriptor<Q, A> method,
      Q request,
      Duration wait,
      Failed failed) {
    CompletableFuture<List<A>> answers = new CompletableFuture<>();
    long untilNanos = connection.nowNanos() + wait.toNanos();
    new Question<>(connection, method, request, untilNanos, failed, answers).ask();
    return answers;
  }

  private record Question<Q, A>(
      AgentConnection connection,
      MethodDescriptor<Q, A> method,
      Q request,
      long untilNanos,
      Failed failed,
      CompletableFuture<List<A>> answers) {

    /** Asks the present agent. */
    void ask() {
      Route route = connection.route();
      CallProgress progress = new CallProgress();
      List<A> collected = new ArrayList<>();
      long leftNanos = Math.max(1, untilNanos - connection.nowNanos());
      try {
        connection.requireOpen();
      } catch (TreecastException closed) {
        answers.completeExceptionally(closed);
        return;
      }
      ClientCalls.asyncServerStreamingCall(
          route.newCall(
              method,
              CallOptions.DEFAULT
                  .withWaitForReady()
                  .withStreamTracerFactory(progress)
                  .withDeadlineAfter(leftNanos, TimeUnit.NANOSECONDS)),
          request,
          new StreamObserver<A>() {
            @Override
            public void onNext(A answer) {
              collected.add(answer);
            }

            @Override
            public void onError(Throwable error) {
              CallFailure failure = CallFailure.of(error);
              if (!progress.sent() && failure.isUnavailable() && connection.isOver(route)) {
                ask();
              } else {
                answers.completeExceptionally(failed.of(failure, route.agent(), progress));
              }
            }

            @Override
            public void onCompleted() {
              answers.complete(collected);
            }
          });
    }
  }

  /** Returns a future of a function's value for a result, or of the first failure. */
  static <A, B> CompletableFuture<B> then(CompletableFuture<A> first, Function<A, B> function) {
    CompletableFuture<B> second = new CompletableFuture<>();
    var unused =
        first.whenComplete(
            (result, error) -> {
              if (error != null) {
                second.completeExceptionally(error);
                return;
              }
              try {
                second.complete(function.apply(result));
              } catch (RuntimeException e) {
                second.completeExceptionally(e);
              }
            });
    return second;
  }
}
