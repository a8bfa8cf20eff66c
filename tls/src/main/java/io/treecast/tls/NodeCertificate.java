package io.treecast.tls;

import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The agents that a certificate identifies: its subject's alternative names have a URI {@code
 * treecast:node:ID} for each. The certificate of an application has none. Stateless.
 */
public final class NodeCertificate {
  /** The prefix of the node id. */
  public static final String PREFIX = "treecast:node:";

  private NodeCertificate() {}

  /** Returns the node ids in a certificate; empty if it identifies no agent. */
  public static SortedSet<String> nodeIds(X509Certificate certificate) {
    TreeSet<String> nodeIds = new TreeSet<>();
    for (String uri : CertificateIdentities.uris(certificate)) {
      if (uri.startsWith(PREFIX)) {
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
