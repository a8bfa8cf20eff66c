package io.treecast.agent.transport;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;

/**
 * The caller of a served call. Immutable.
 *
 * @param address for people
 * @param attributes of the call
 */
record RemoteEnd(String address, Attributes attributes) {
  private static final Context.Key<RemoteEnd> KEY =
      Context.keyWithDefault("remote-end", new RemoteEnd("an unknown address", Attributes.EMPTY));

  static RemoteEnd ofCurrentCall() {
    return KEY.get();
  }

  private static RemoteEnd of(Attributes attributes) {
    SocketAddress address = attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return new RemoteEnd(
        address == null ? KEY.get().address : address.toString().replaceFirst("^/", ""),
        attributes);
  }

  /** Passes the caller to a service. */
  static final class Interceptor implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Context context = Context.current().withValue(KEY, of(call.getAttributes()));
      return Contexts.interceptCall(context, call, headers, next);
    }
  }
}
