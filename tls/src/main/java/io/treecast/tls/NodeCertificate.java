package io.treecast.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The agents that a certificate identifies: it names them by URI, as its subject's alternative
 * names {@code treecast:node:ID}. An application's certificate names none. Stateless.
 */
public final class NodeCertificate {
  /** The prefix of the node id. */
  public static final String PREFIX = "treecast:node:";

  /** The number of URIs among the kinds of names in RFC 5280, section 4.2.1.6. */
  private static final int URI_NAME = 6;

  private NodeCertificate() {}

  /** Returns the node ids in a certificate; empty if it identifies no agent. */
  public static SortedSet<String> nodeIds(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return Collections.emptySortedSet(); // The certificate has no readable names.
    }
    TreeSet<String> nodeIds = new TreeSet<>();
    for (List<?> name : names == null ? List.<List<?>>of() : names) {
      if (name.get(0).equals(URI_NAME)
          && name.get(1) instanceof String uri
          && uri.startsWith(PREFIX)) {
        nodeIds.add(uri.substring(PREFIX.length()));
      }
    }
    return nodeIds;
  }

  /** Returns the node ids in the certificate of the other end of a connection. */
  public static SortedSet<String> nodeIds(SSLSession connection) {
    try {
      return nodeIds((X509Certificate) connection.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Collections.emptySortedSet();
    }
  }
}
