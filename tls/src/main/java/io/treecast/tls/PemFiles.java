package io.treecast.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.grpc.util.CertificateUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The checked content of a directory's files at the time of reading. Immutable.
 *
 * @param chain the certificate, followed by those that lead to a trusted one
 * @param key the private key of the certificate
 * @param trusted the certificates of the trusted authorities
 * @param revoked the revoked certificates
 */
record PemFiles(
    List<X509Certificate> chain,
    PrivateKey key,
    List<X509Certificate> trusted,
    RevocationList revoked) {
  private static final int MAX_FILE_BYTES = 1 << 20;

  /**
   * Reads the files.
   *
   * @throws TlsFilesException if a file is unusable, or the files do not belong together
   */
  static PemFiles read(Path directory) throws TlsFilesException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new TlsFilesException(directory + " is not a directory");
    }
    Path certificateFile = directory.resolve(TlsFiles.CERTIFICATE);
    Path keyFile = directory.resolve(TlsFiles.KEY);
    List<X509Certificate> chain = certificates(certificateFile);
    List<X509Certificate> trusted = certificates(directory.resolve(TlsFiles.TRUSTED));
    PemFiles files =
        new PemFiles(
            chain,
            key(keyFile),
            trusted,
            revoked(directory.resolve(TlsFiles.REVOKED), chain, trusted));
    if (!files.isKeyOfCertificate()) {
      throw new TlsFilesException(
          keyFile + " is not the key of the certificate in " + certificateFile);
    }
    if (files.chain.get(0).getBasicConstraints() >= 0) {
      throw new TlsFilesException(
          certificateFile
              + ": this is a CA certificate: whoever holds its key could issue agent certificates;"
              + " have one issued with the basic constraints CA:FALSE");
    }
    try {
      files.chain.get(0).checkValidity();
    } catch (CertificateExpiredException e) {
      throw TlsFilesException.now(
          "%s: the certificate has expired, on %s; put a new one there"
              .formatted(certificateFile, files.chain.get(0).getNotAfter().toInstant()));
    } catch (CertificateException e) {
      throw TlsFilesException.now(
          "%s: the certificate is valid from %s on; is this machine's clock right?"
              .formatted(certificateFile, files.chain.get(0).getNotBefore().toInstant()));
    }
    return files;
  }

  private static List<X509Certificate> certificates(Path file) throws TlsFilesException {
    byte[] bytes = bytes(file);
    X509Certificate[] certificates;
    try {
      certificates = CertificateUtils.getX509Certificates(new ByteArrayInputStream(bytes));
    } catch (CertificateException e) {
      throw new TlsFilesException(file + ": no certificate in PEM: " + e.getMessage());
    }
    if (certificates.length == 0) {
      throw new TlsFilesException(file + " contains no certificate");
    }
    return List.of(certificates);
  }

  /** Reads the revocation list, if there is a file. */
  private static RevocationList revoked(
      Path file, List<X509Certificate> chain, List<X509Certificate> trusted)
      throws TlsFilesException {
    if (Files.notExists(file)) {
      return RevocationList.NONE;
    }
    List<X509Certificate> issuers = new ArrayList<>(trusted);
    issuers.addAll(chain.subList(1, chain.size()));
    return RevocationList.read(file.toString(), bytes(file), issuers);
  }

  private static PrivateKey key(Path file) throws TlsFilesException {
    byte[] bytes = bytes(file);
    String text = new String(bytes, ISO_8859_1);
    if (!text.contains("-----BEGIN PRIVATE KEY-----")) {
      throw new TlsFilesException(
          file
              + ": no private key in PEM that is in PKCS#8 and not encrypted; convert it: openssl"
              + " pkcs8 -topk8 -nocrypt -in OLD -out NEW");
    }
    try {
      return CertificateUtils.getPrivateKey(new ByteArrayInputStream(bytes));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw new TlsFilesException(
          "%s: the private key cannot be read: %s; it has to be of RSA or EC"
              .formatted(file, e.getMessage()));
    }
  }

  private static byte[] bytes(Path file) throws TlsFilesException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw new TlsFilesException(file + " is larger than " + MAX_FILE_BYTES + " bytes");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw TlsFilesException.now(
          "file not found: %s; for TLS a directory has %s, %s and %s"
              .formatted(file, TlsFiles.CERTIFICATE, TlsFiles.KEY, TlsFiles.TRUSTED));
    } catch (AccessDeniedException e) {
      throw new TlsFilesException(
          file + " cannot be read: permission denied to " + System.getProperty("user.name"));
    } catch (IOException e) {
      throw new TlsFilesException(file + " cannot be read: " + e.getMessage());
    }
  }

  /** Returns whether the certificate verifies a signature of the key. */
  private boolean isKeyOfCertificate() {
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    byte[] text = "treecast".getBytes(ISO_8859_1);
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(chain.get(0).getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false; // The algorithms differ.
    }
  }

  /**
   * Checks the certificate of a peer that has connected.
   *
   * @param others its chain
   * @throws CertificateException if it is not of a trusted authority, not valid now, or revoked
   */
  void requireTrusted(X509Certificate[] others) throws CertificateException {
    try {
      KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
      anchors.load(null, null);
      for (int i = 0; i < trusted.size(); i++) {
        anchors.setCertificateEntry("authority" + i, trusted.get(i));
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(anchors);
      for (TrustManager manager : managers.getTrustManagers()) {
        if (manager instanceof X509TrustManager certificates) {
          certificates.checkClientTrusted(others, others[0].getPublicKey().getAlgorithm());
          requirePathLength(others);
          revoked.requireNotRevoked(others);
          return;
        }
      }
      throw new CertificateException("this Java cannot check certificates");
    } catch (IOException | GeneralSecurityException e) {
      throw e instanceof CertificateException untrusted ? untrusted : new CertificateException(e);
    }
  }

  /**
   * Checks the path length of an authority that is itself trusted, which Java ignores: the number
   * of certificates that it permits between itself and the peer's (RFC 5280, section 4.2.1.9).
   *
   * @param others a chain that leads to a trusted certificate
   * @throws CertificateException if there are more
   */
  void requirePathLength(X509Certificate[] others) throws CertificateException {
    for (X509Certificate authority : trusted) {
      int between = between(others, authority);
      int most = authority.getBasicConstraints();
      if (between >= 0 && (most < 0 || between <= most)) {
        return;
      }
    }
    throw new CertificateException(
        "the other end's certificate was issued by one that may not issue any: the path length of"
            + " the authority in "
            + TlsFiles.TRUSTED
            + " forbids it");
  }

  /**
   * Returns the number of certificates between the first of a chain and the authority; -1 if the
   * chain does not lead to it.
   */
  private static int between(X509Certificate[] chain, X509Certificate authority) {
    for (int i = 0; i < chain.length; i++) {
      if (chain[i].equals(authority)) {
        return Math.max(0, i - 1);
      }
      try {
        chain[i].verify(authority.getPublicKey());
        return i;
      } catch (GeneralSecurityException e) {
        // Another authority has signed it.
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return "of " + chain.get(0).getSubjectX500Principal(); // The text must not contain the key.
  }
}
