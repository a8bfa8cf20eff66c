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

/** A call that asks the agent once, and collects its answers. */
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
    CallProgress progress = new CallProgress();
    CompletableFuture<List<A>> collected = new CompletableFuture<>();
    AgentAddress agent = connection.agent();
    List<A> answers = new ArrayList<>();
    CallOptions options =
        CallOptions.DEFAULT
            .withWaitForReady()
            .withStreamTracerFactory(progress)
            .withDeadlineAfter(wait.toMillis(), TimeUnit.MILLISECONDS);
    try {
      ClientCalls.asyncServerStreamingCall(
          connection.newCall(method, options),
          request,
          new StreamObserver<A>() {
            @Override
            public void onNext(A answer) {
              answers.add(answer);
            }

            @Override
            public void onError(Throwable error) {
              collected.completeExceptionally(failed.of(CallFailure.of(error), agent, progress));
            }

            @Override
            public void onCompleted() {
              collected.complete(answers);
            }
          });
    } catch (TreecastException closed) {
      collected.completeExceptionally(closed);
    }
    return collected;
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
