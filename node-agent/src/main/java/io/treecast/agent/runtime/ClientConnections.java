package io.treecast.agent.runtime;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Tells the calls of one application from those of another: by the connection on which they come.
 * gRPC's threads.
 */
final class ClientConnections implements ServerInterceptor {
  private static final Context.Key<String> CLIENT = Context.keyWithDefault("treecast-client", "");

  /** The client whose call the calling thread serves. */
  static String current() {
    return CLIENT.get();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String client = String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    return Contexts.interceptCall(Context.current().withValue(CLIENT, client), call, headers, next);
  }
}
