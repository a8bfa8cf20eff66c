package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.function.Consumer;

/** An agent, and the channel to it while the client uses it. For any thread. */
final class Route {
  private final AgentAddress agent;
  private final ManagedChannel channel;
  private final Consumer<Route> onLeaving;
  private volatile boolean left;

  /**
   * Creates a route without a connection.
   *
   * @param onLeaving called when the agent ends or refuses a call because it shuts down
   */
  Route(AgentAddress agent, ManagedChannel channel, Consumer<Route> onLeaving) {
    this.agent = agent;
    this.channel = channel;
    this.onLeaving = onLeaving;
  }

  AgentAddress agent() {
    return agent;
  }

  ManagedChannel channel() {
    return channel;
  }

  boolean isConnected() {
    return !left && channel.getState(false) == ConnectivityState.READY;
  }

  /** Notes that the client leaves the agent; returns false if that was already noted. */
  synchronized boolean leave() {
    boolean isFirst = !left;
    left = true;
    return isFirst;
  }

  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return new SimpleForwardingClientCall<>(channel.newCall(method, options)) {
      @Override
      public void start(Listener<R> listener, Metadata headers) {
        super.start(
            new SimpleForwardingClientCallListener<>(listener) {
              @Override
              public void onClose(Status status, Metadata trailers) {
                if (CallFailure.isShutdown(trailers)) {
                  onLeaving.accept(Route.this);
                }
                super.onClose(status, trailers);
              }
            },
            headers);
      }
    };
  }
}
