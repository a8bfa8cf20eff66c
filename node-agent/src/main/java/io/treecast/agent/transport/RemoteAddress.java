package io.treecast.agent.transport;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;

/** Tells a gRPC service where the call that it serves comes from. */
final class RemoteAddress implements ServerInterceptor {
  private static final Context.Key<String> KEY =
      Context.keyWithDefault("remote-address", "an unknown address");

  static String ofCurrentCall() {
    return KEY.get();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    String text =
        address == null ? "an unknown address" : address.toString().replaceFirst("^/", "");
    return Contexts.interceptCall(Context.current().withValue(KEY, text), call, headers, next);
  }
}
