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
 * Checks the certificate of each new connection against the currently trusted authorities. A
 * resumed TLS session was checked only when it began; since then its certificate may have expired
 * or been revoked, and its authority may no longer be trusted. Thread-safe.
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
        throw new CertificateException("the connection has no TLS");
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
