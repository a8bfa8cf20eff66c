package io.treecast.agent.runtime;

import static io.treecast.agent.runtime.TestAgents.PATIENCE;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A call of which the client reads the answer when it wants to. */
public final class UnreadCall<Q, R> extends ClientCall.Listener<R> {
  private final ClientCall<Q, R> call;
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private volatile boolean answered;

  public UnreadCall(Channel channel, MethodDescriptor<Q, R> method, Q request) {
    call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.sendMessage(request);
    call.halfClose();
  }

  @Override
  public void onHeaders(Metadata headers) {
    answered = true;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.complete(status);
  }

  public Status read() throws Exception {
    call.request(2);
    return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  public void cancel() {
    call.cancel("a test does not want it", null);
  }

  public boolean hasAnswer() {
    return answered || end.isDone();
  }

  /** How it has ended. */
  public CompletableFuture<Status> end() {
    return end;
  }
}
