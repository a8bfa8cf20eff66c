package io.treecast.tls;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import java.security.cert.CertificateException;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Looks at the certificate of each connection that is made, by what is trusted now. A TLS session
 * that is resumed was looked at when it began; since then its certificate may have expired or been
 * revoked, and its authority may be trusted no more. Any thread.
 */
final class Admission extends ServerTransportFilter {
  private final Supplier<PemFiles> files;

  Admission(Supplier<PemFiles> files) {
    this.files = files;
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    SSLSession session = attributes.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    try {
      if (session == null) {
        throw new CertificateException("it talks plain text");
      }
      files.get().requireTrusted(RevocableCalls.chain(session));
      return attributes;
    } catch (CertificateException | SSLPeerUnverifiedException e) {
      throw Status.UNAUTHENTICATED
          .withDescription("the certificate is not trusted: " + e.getMessage())
          .withCause(e)
          .asRuntimeException();
    }
  }
}
