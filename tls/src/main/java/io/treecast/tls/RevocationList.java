package io.treecast.tls;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CRLReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateRevokedException;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that authorities have revoked, according to {@value TlsFiles#REVOKED}. An
 * expired list still counts: revoked certificates stay revoked. Immutable.
 */
final class RevocationList {
  static final RevocationList NONE = new RevocationList(List.of());

  /** The extension of a list that contains only the changes since another list. */
  private static final String DELTA_LIST = "2.5.29.27";

  private final List<X509CRL> lists;

  private RevocationList(List<X509CRL> lists) {
    this.lists = lists;
  }

  /**
   * Reads lists in PEM.
   *
   * @param file the name of the file, for errors
   * @param issuers the authorities whose lists count
   * @throws TlsFilesException if there is no list, or an unusable one
   */
  static RevocationList read(String file, byte[] pem, List<X509Certificate> issuers)
      throws TlsFilesException {
    List<X509CRL> lists = new ArrayList<>();
    try {
      for (CRL list :
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(pem))) {
        lists.add((X509CRL) list);
      }
    } catch (CertificateException | CRLException e) {
      throw new TlsFilesException(
          file + ": not a list of revoked certificates in PEM: " + e.getMessage());
    }
    if (lists.isEmpty()) {
      throw new TlsFilesException(file + " contains no list of revoked certificates");
    }
    for (X509CRL list : lists) {
      if (list.getExtensionValue(DELTA_LIST) != null) {
        throw new TlsFilesException(
            file + ": a list of changes to another list (a delta CRL); put the whole list there");
      }
      if (issuers.stream().noneMatch(issuer -> isBy(issuer, list))) {
        throw new TlsFilesException(
            "%s: the list of %s is not signed by an authority in %s"
                .formatted(file, list.getIssuerX500Principal(), TlsFiles.TRUSTED));
      }
    }
    return new RevocationList(List.copyOf(lists));
  }

  private static boolean isBy(X509Certificate issuer, X509CRL list) {
    if (!issuer.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
      return false;
    }
    try {
      list.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * Checks the certificate of the other end, and those that lead from it to a trusted one.
   *
   * @throws CertificateRevokedException if one of them is revoked
   */
  void requireNotRevoked(X509Certificate[] chain) throws CertificateRevokedException {
    for (X509Certificate certificate : chain) {
      for (X509CRL list : lists) {
        X509CRLEntry entry = list.getRevokedCertificate(certificate);
        if (entry != null) {
          throw new CertificateRevokedException(
              entry.getRevocationDate(),
              Objects.requireNonNullElse(entry.getRevocationReason(), CRLReason.UNSPECIFIED),
              list.getIssuerX500Principal(),
              Map.of());
        }
      }
    }
  }

  /**
   * Returns the first time at which one of the lists is due to be replaced; null if there is none.
   */
  @Nullable Instant expires() {
    return lists.stream()
        .map(X509CRL::getNextUpdate)
        .filter(Objects::nonNull)
        .map(Date::toInstant)
        .min(Instant::compareTo)
        .orElse(null);
  }
}
