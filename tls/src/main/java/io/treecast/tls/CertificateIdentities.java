package io.treecast.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The identities in a certificate: the URIs among its subject's alternative names, and its subject
 * in the form of RFC 2253, as in {@code CN=shop,O=Example}. Stateless.
 */
public final class CertificateIdentities {
  /** The number of URIs among the kinds of names in RFC 5280, section 4.2.1.6. */
  private static final int URI_NAME = 6;

  private CertificateIdentities() {}

  /** Returns the identities of the other end of a connection; empty without a certificate. */
  public static List<String> of(SSLSession connection) {
    try {
      X509Certificate certificate = (X509Certificate) connection.getPeerCertificates()[0];
      List<String> identities = new ArrayList<>(uris(certificate));
      String subject = certificate.getSubjectX500Principal().getName();
      if (!subject.isEmpty()) {
        identities.add(subject);
      }
      return identities;
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  /** Returns the URIs in a certificate; empty if its names cannot be decoded. */
  static List<String> uris(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return List.of();
    }
    List<String> uris = new ArrayList<>();
    for (List<?> name : names == null ? List.<List<?>>of() : names) {
      if (name.get(0).equals(URI_NAME) && name.get(1) instanceof String uri) {
        uris.add(uri);
      }
    }
    return uris;
  }
}
