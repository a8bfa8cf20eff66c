package io.treecast.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.treecast.tls.CertificateTerms.Constraints;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An authority that issues certificates for tests, in this process: the JDK's {@code keytool} needs
 * half a second of a core for each.
 */
public final class TestAuthority {
  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));
  private static final int ALTERNATIVE_NAMES = 17;
  private static final int BASIC_CONSTRAINTS = 19;

  /** Makes the names of authorities and serial numbers unique. */
  private static final AtomicLong numbers = new AtomicLong();

  private final Issuer root;

  /**
   * A certified key that signs.
   *
   * @param certificate its certificate, in PEM
   * @param chain the PEM of its certificate and those between it and the root, without the root
   */
  private record Issuer(String name, PrivateKey key, String certificate, String chain) {}

  /** Creates an authority that may certify other authorities. */
  public TestAuthority() throws IOException {
    this(Constraints.AUTHORITY);
  }

  TestAuthority(Constraints constraints) throws IOException {
    String name = "authority " + numbers.incrementAndGet();
    KeyPair keys = keys("EC");
    CertificateTerms terms = CertificateTerms.ofAuthority(constraints);
    root =
        new Issuer(
            name,
            keys.getPrivate(),
            pem(
                "CERTIFICATE",
                certificate(new Issuer(name, keys.getPrivate(), "", ""), name, keys, terms)),
            "");
  }

  /** Returns a directory for an agent with this node id. */
  public Path agent(String nodeId, Path directory) throws IOException {
    return agents(List.of(nodeId), directory);
  }

  /** Returns a directory that agents with these node ids can share. */
  public Path agents(List<String> nodeIds, Path directory) throws IOException {
    return issue(directory, CertificateTerms.ofAgents(nodeIds));
  }

  /** Returns a directory for an application. */
  public Path application(Path directory) throws IOException {
    return issue(directory, CertificateTerms.of());
  }

  /** Returns a directory for an application whose certificate has this URI. */
  public Path application(String uri, Path directory) throws IOException {
    return issue(directory, CertificateTerms.of("uri:" + uri));
  }

  /** Returns a directory with a certificate. */
  Path issue(Path directory, CertificateTerms terms) throws IOException {
    return issueBy(root, directory, terms);
  }

  /** Returns a directory with a certificate from an intermediate authority. */
  Path issueInTurn(Path directory, CertificateTerms terms) throws IOException {
    KeyPair keys = keys("EC");
    byte[] between =
        certificate(root, "between", keys, CertificateTerms.ofAuthority(Constraints.AUTHORITY));
    String pem = pem("CERTIFICATE", between);
    Issuer issuer = new Issuer("between", keys.getPrivate(), pem, pem);
    return issueBy(issuer, directory, terms);
  }

  private Path issueBy(Issuer issuer, Path directory, CertificateTerms terms) throws IOException {
    KeyPair keys = keys(terms.algorithm());
    byte[] certificate = certificate(issuer, "certificate", keys, terms);
    Files.createDirectories(directory);
    Path key = directory.resolve(TlsFiles.KEY);
    Files.writeString(key, pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        directory.resolve(TlsFiles.CERTIFICATE), pem("CERTIFICATE", certificate) + issuer.chain());
    Files.writeString(directory.resolve(TlsFiles.TRUSTED), root.certificate());
    return directory;
  }

  /** Returns its list of revoked certificates, in PEM, valid for ninety days from now. */
  public String revocations(List<Path> directories) throws IOException {
    return revocations(directories, Duration.ZERO, Duration.ofDays(90));
  }

  /**
   * Returns its list of revoked certificates, in PEM.
   *
   * @param directories directories of the revoked certificates
   * @param start the time from now until the list is valid; negative for the past
   */
  String revocations(List<Path> directories, Duration start, Duration validity) throws IOException {
    Instant from = Instant.now().plus(start);
    byte[][] entries = new byte[directories.size()][];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = Der.sequence(Der.integer(serialNumber(directories.get(i))), Der.time(from));
    }
    byte[] list =
        Der.sequence(
            Der.integer(BigInteger.ONE),
            ECDSA_WITH_SHA256,
            Der.name(root.name()),
            Der.time(from),
            Der.time(from.plus(validity)),
            Der.sequence(entries));
    return pem("X509 CRL", signed(list, root.key()));
  }

  private static BigInteger serialNumber(Path directory) throws IOException {
    try (InputStream in = Files.newInputStream(directory.resolve(TlsFiles.CERTIFICATE))) {
      return ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
          .getSerialNumber();
    } catch (CertificateException e) {
      throw new IOException(e);
    }
  }

  private static KeyPair keys(String algorithm) throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(algorithm.equals("EC") ? 256 : 2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static byte[] certificate(
      Issuer issuer, String name, KeyPair keys, CertificateTerms terms) throws IOException {
    Instant start = Instant.now().plus(terms.start());
    byte[] third = Der.integer(BigInteger.TWO);
    byte[] certificate =
        Der.sequence(
            Der.element(0xa0, third),
            Der.integer(BigInteger.valueOf(numbers.incrementAndGet())),
            ECDSA_WITH_SHA256,
            Der.name(issuer.name()),
            Der.sequence(Der.time(start), Der.time(start.plus(terms.validity()))),
            Der.name(name),
            keys.getPublic().getEncoded(),
            Der.element(0xa3, Der.sequence(constraints(terms), alternativeNames(terms))));
    return signed(certificate, issuer.key());
  }

  private static byte[] constraints(CertificateTerms terms) {
    Constraints constraints = terms.constraints();
    byte[] issues = constraints.issues() ? Der.element(0x01, new byte[] {-1}) : new byte[0];
    byte[] pathLength =
        constraints.pathLength() < 0
            ? new byte[0]
            : Der.integer(BigInteger.valueOf(constraints.pathLength()));
    return Der.extension(BASIC_CONSTRAINTS, true, Der.sequence(issues, pathLength));
  }

  private static byte[] alternativeNames(CertificateTerms terms) throws IOException {
    if (terms.names().isEmpty()) {
      return new byte[0];
    }
    byte[][] names = new byte[terms.names().size()][];
    for (int i = 0; i < names.length; i++) {
      String[] parts = terms.names().get(i).split(":", 2);
      names[i] =
          switch (parts[0]) {
            case "uri" -> Der.element(0x86, parts[1].getBytes(US_ASCII));
            case "dns" -> Der.element(0x82, parts[1].getBytes(US_ASCII));
            case "ip" -> Der.element(0x87, InetAddress.getByName(parts[1]).getAddress());
            default -> throw new IllegalArgumentException(terms.names().get(i));
          };
    }
    return Der.extension(ALTERNATIVE_NAMES, false, Der.sequence(names));
  }

  private static byte[] signed(byte[] content, PrivateKey key) throws IOException {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key);
      signature.update(content);
      return Der.sequence(content, ECDSA_WITH_SHA256, Der.bitString(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String pem(String what, byte[] encoded) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }
}
