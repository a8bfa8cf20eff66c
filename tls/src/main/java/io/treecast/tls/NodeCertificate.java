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
 * Of which agents a certificate is: those that it names by URI, as its subject's alternative names
 * {@code treecast:node:ID}. An application's names none. No state.
 */
public final class NodeCertificate {
  /** What stands before the node id. */
  public static final String PREFIX = "treecast:node:";

  /** The number of URIs among the kinds of names in RFC 5280, section 4.2.1.6. */
  private static final int URI_NAME = 6;

  private NodeCertificate() {}

  /** The node ids in a certificate; none if it is of no agent. */
  public static SortedSet<String> nodeIds(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return Collections.emptySortedSet(); // It names nobody that could be told.
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

  /** The same of whoever is at the other end of a connection. */
  public static SortedSet<String> nodeIds(SSLSession connection) {
    try {
      return nodeIds((X509Certificate) connection.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Collections.emptySortedSet();
    }
  }
}
