package io.treecast.agent.runtime.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the client of a call: by the certificate that its connection has shown, or, in plain
 * text, by the connection. For gRPC's threads.
 */
public final class ClientConnections implements ServerInterceptor {
  private static final Context.Key<String> CLIENT = Context.keyWithDefault("treecast-client", "");
  private static final Context.Key<String> ADDRESS =
      Context.keyWithDefault("treecast-client-address", "");

  /** Returns the client whose call the calling thread serves. */
  public static String current() {
    return CLIENT.get();
  }

  /** Returns that client's address, for people. */
  public static String address() {
    return ADDRESS.get();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String address = String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    String client = client(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), address);
    return Contexts.interceptCall(
        Context.current().withValues(CLIENT, client, ADDRESS, address), call, headers, next);
  }

  private static String client(@Nullable SSLSession tls, String address) {
    try {
      return tls == null ? address : tls.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return address; // It has shown no certificate.
    }
  }
}
