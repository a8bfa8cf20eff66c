package io.treecast.agent.runtime.server;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the client of a call: by the certificate of its connection or, in plain text, by the
 * connection. For gRPC's threads.
 */
public final class ClientConnections implements ServerInterceptor {
  /** The number of open calls by connection, as its two addresses; absent if zero. */
  private final ConcurrentMap<String, Integer> calls = new ConcurrentHashMap<>();

  private static final Context.Key<String> CLIENT = Context.keyWithDefault("treecast-client", "");
  private static final Context.Key<String> ADDRESS =
      Context.keyWithDefault("treecast-client-address", "");

  /** Returns the client of the call that the current thread serves. */
  public static String current() {
    return CLIENT.get();
  }

  /** Returns the address of that client, for people. */
  public static String address() {
    return ADDRESS.get();
  }

  /** Returns the number of connections with a call under way. */
  public int count() {
    return calls.size();
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    String address = String.valueOf(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    String client = client(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION), address);
    calls.merge(address, 1, Integer::sum);
    ServerCall.Listener<Q> service =
        Contexts.interceptCall(
            Context.current().withValues(CLIENT, client, ADDRESS, address), call, headers, next);
    return new SimpleForwardingServerCallListener<>(service) {
      @Override
      public void onComplete() {
        ended(address);
        super.onComplete();
      }

      @Override
      public void onCancel() {
        ended(address);
        super.onCancel();
      }
    };
  }

  private void ended(String address) {
    calls.computeIfPresent(address, (unused, open) -> open == 1 ? null : (Integer) (open - 1));
  }

  private static String client(@Nullable SSLSession tls, String address) {
    try {
      return tls == null ? address : tls.getPeerPrincipal().getName();
    } catch (SSLPeerUnverifiedException e) {
      return address; // The client has no certificate.
    }
  }
}
