package io.treecast.tls;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.cert.CertificateRevokedException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The calls under way over TLS, at both ends. A call ends when the certificate of its other end is
 * found to be revoked; the service or the caller observes a lost connection. Thread-safe.
 */
final class RevocableCalls implements ServerInterceptor, ClientInterceptor {
  private static final Status REVOKED =
      Status.UNAUTHENTICATED.withDescription(
          "the certificate has been revoked, as " + TlsFiles.REVOKED + " of the other end says");

  private final Supplier<PemFiles> files;
  private final Set<Revocable> underway = ConcurrentHashMap.newKeySet();

  RevocableCalls(Supplier<PemFiles> files) {
    this.files = files;
  }

  private interface Revocable {
    Attributes attributes();

    void revoke();
  }

  /** Ends calls whose other end has a revoked certificate; returns their number. */
  int endRevoked() {
    int ended = 0;
    for (Revocable call : underway) {
      if (isRevoked(call)) {
        call.revoke();
        ended++;
      }
    }
    return ended;
  }

  private boolean isRevoked(Revocable call) {
    // A call that is not connected yet has no session; its handshake will check the certificate.
    SSLSession session = call.attributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session == null) {
      return false;
    }
    try {
      files.get().revoked().requireNotRevoked(chain(session));
      return false;
    } catch (CertificateRevokedException | SSLPeerUnverifiedException e) {
      return true;
    }
  }

  /** Returns the certificates that the other end has presented. */
  static X509Certificate[] chain(SSLSession session) throws SSLPeerUnverifiedException {
    return Arrays.stream(session.getPeerCertificates()).toArray(X509Certificate[]::new);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Accepted<Q, R> accepted = new Accepted<>(call);
    // Registered before the certificate is checked, so that a list that arrives meanwhile applies
    // to this call, too.
    underway.add(accepted);
    if (isRevoked(accepted)) {
      accepted.revoke();
      return new ServerCall.Listener<>() {};
    }
    return accepted.listener(next.startCall(accepted, headers));
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel channel) {
    return new Made<>(channel.newCall(method, options));
  }

  /** A call that this end serves. */
  private final class Accepted<Q, R> extends SimpleForwardingServerCall<Q, R> implements Revocable {
    private boolean isRevoked;

    Accepted(ServerCall<Q, R> call) {
      super(call);
    }

    @Override
    public Attributes attributes() {
      return getAttributes();
    }

    @Override
    public synchronized void revoke() {
      underway.remove(this);
      if (!isRevoked) {
        isRevoked = true;
        try {
          delegate().close(REVOKED, new Metadata());
        } catch (IllegalStateException endedBefore) {
          // The call has ended already.
        }
      }
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
      if (!isRevoked) {
        super.sendHeaders(headers);
      }
    }

    @Override
    public synchronized void sendMessage(R message) {
      if (!isRevoked) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
      if (!isRevoked) {
        super.close(status, trailers);
      }
    }

    @Override
    public synchronized boolean isCancelled() {
      return isRevoked || super.isCancelled();
    }

    /**
     * Reports the end to the service as a cancellation, because the service did not end the call
     * itself.
     */
    ServerCall.Listener<Q> listener(ServerCall.Listener<Q> service) {
      return new SimpleForwardingServerCallListener<>(service) {
        @Override
        public void onComplete() {
          underway.remove(Accepted.this);
          if (Accepted.this.isRevoked()) {
            super.onCancel();
          } else {
            super.onComplete();
          }
        }

        @Override
        public void onCancel() {
          underway.remove(Accepted.this);
          super.onCancel();
        }
      };
    }

    private synchronized boolean isRevoked() {
      return isRevoked;
    }
  }

  /** A call that this end has made. */
  private final class Made<Q, R> extends SimpleForwardingClientCall<Q, R> implements Revocable {
    private boolean isRevoked;

    Made(ClientCall<Q, R> call) {
      super(call);
    }

    @Override
    public Attributes attributes() {
      return getAttributes();
    }

    @Override
    public void start(ClientCall.Listener<R> caller, Metadata headers) {
      underway.add(this);
      super.start(
          new SimpleForwardingClientCallListener<>(caller) {
            @Override
            public void onHeaders(Metadata answer) {
              // The list may have arrived between the handshake and the connection of the call.
              if (RevocableCalls.this.isRevoked(Made.this)) {
                revoke();
              } else {
                super.onHeaders(answer);
              }
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              underway.remove(Made.this);
              super.onClose(status, trailers);
            }
          },
          headers);
    }

    @Override
    public synchronized void revoke() {
      underway.remove(this);
      if (!isRevoked) {
        isRevoked = true;
        super.cancel("the certificate of the other end has been revoked", null);
      }
    }

    @Override
    public synchronized void sendMessage(Q message) {
      if (!isRevoked) {
        super.sendMessage(message);
      }
    }

    @Override
    public synchronized void halfClose() {
      if (!isRevoked) {
        super.halfClose();
      }
    }

    @Override
    public synchronized void cancel(@Nullable String message, @Nullable Throwable cause) {
      if (!isRevoked) {
        super.cancel(message, cause);
      }
    }
  }
}
