package io.treecast.tls;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.SecurityLevel;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;

/**
 * Adds a token to calls, which identifies an application to agents with permissions. A token is
 * sent to other machines over TLS only; without TLS, such a call fails. Immutable.
 */
public final class BearerToken implements ClientInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,1000}");

  private final String token;

  private BearerToken(String token) {
    this.token = token;
  }

  /**
   * Creates the interceptor of a token.
   *
   * @throws IllegalArgumentException if the token is not 1 to 1,000 visible characters of ASCII;
   *     the message does not contain it
   */
  public static BearerToken of(String token) {
    if (!ALLOWED.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "the token is not 1 to 1000 visible ASCII characters without spaces");
    }
    return new BearerToken(token);
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel channel) {
    return channel.newCall(method, options.withCallCredentials(new Credentials()));
  }

  /** Adds the token once the connection of a call is known. */
  private final class Credentials extends CallCredentials {
    @Override
    public void applyRequestMetadata(RequestInfo call, Executor executor, MetadataApplier applier) {
      if (call.getSecurityLevel() == SecurityLevel.PRIVACY_AND_INTEGRITY
          || isLoopback(call.getTransportAttrs().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        applier.apply(headers);
      } else {
        applier.fail(
            Status.UNAUTHENTICATED.withDescription(
                "the token is not sent in plain text to another machine; connect by TLS"));
      }
    }
  }

  private static boolean isLoopback(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        && !inet.isUnresolved()
        && inet.getAddress().isLoopbackAddress();
  }

  /** Returns a text without the token. */
  @Override
  public String toString() {
    return "a token";
  }
}
