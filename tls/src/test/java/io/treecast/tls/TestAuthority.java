package io.treecast.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An authority that issues certificates for tests, by the JDK's {@code keytool}. */
public final class TestAuthority {
  private static final String PASSWORD = "for-tests";
  private static final String NAME = "authority";

  /** Makes the names of authorities unique. */
  private static int authorities;

  private final Path store;

  /** Creates an authority that keeps its keys in this directory. */
  public TestAuthority(Path directory) throws IOException {
    this(directory, "bc:c");
  }

  /**
   * Creates an authority with constraints.
   *
   * @param constraints its basic constraints, in the syntax of {@code keytool}
   */
  TestAuthority(Path directory, String constraints) throws IOException {
    store = directory.resolve("authority.p12");
    keytool(
        "-alias",
        NAME,
        "-dname",
        "CN=" + NAME + " " + ++authorities,
        "-ext",
        constraints,
        "-validity",
        "2");
  }

  /** Returns a directory for an agent with this node id. */
  public Path agent(String nodeId, Path directory) throws IOException {
    return issue(directory, "-ext", "san=uri:" + NodeCertificate.PREFIX + nodeId);
  }

  /** Returns a directory for an application. */
  public Path application(Path directory) throws IOException {
    return issue(directory);
  }

  /**
   * Returns a directory with a certificate.
   *
   * @param more further arguments of {@code keytool -genkeypair}
   */
  public Path issue(Path directory, String... more) throws IOException {
    return issueBy(NAME, directory, more);
  }

  /** Returns a directory with a certificate from an intermediate authority. */
  Path issueInTurn(Path directory, String... more) throws IOException {
    String between = "between" + System.nanoTime();
    keytool("-alias", between, "-signer", NAME, "-dname", "CN=between", "-ext", "bc:c");
    return issueBy(between, directory, more);
  }

  private Path issueBy(String signer, Path directory, String... more) throws IOException {
    String alias = "certificate" + System.nanoTime();
    List<String> all = new ArrayList<>(List.of("-alias", alias, "-signer", signer));
    all.addAll(List.of("-dname", "CN=certificate"));
    all.addAll(List.of(more));
    if (!all.contains("-validity")) {
      all.addAll(List.of("-validity", "1"));
    }
    keytool(all.toArray(new String[0]));
    Files.createDirectories(directory);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      byte[] key = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
      write(directory.resolve(TlsFiles.KEY), "PRIVATE KEY", key);
      Files.setPosixFilePermissions(
          directory.resolve(TlsFiles.KEY), PosixFilePermissions.fromString("rw-------"));
      StringBuilder chain = new StringBuilder();
      Certificate trusted = keys.getCertificate(NAME);
      for (Certificate certificate : keys.getCertificateChain(alias)) {
        if (!certificate.equals(trusted)) {
          chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
      }
      Files.writeString(directory.resolve(TlsFiles.CERTIFICATE), chain);
      write(directory.resolve(TlsFiles.TRUSTED), "CERTIFICATE", trusted.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return directory;
  }

  /**
   * Returns its list of revoked certificates, in PEM.
   *
   * @param directories directories of the revoked certificates
   * @param more further arguments of {@code keytool -gencrl}
   */
  public String revocations(List<Path> directories, String... more) throws IOException {
    List<String> all = new ArrayList<>(List.of("-gencrl", "-rfc", "-alias", NAME));
    for (Path directory : directories) {
      try (InputStream in = Files.newInputStream(directory.resolve(TlsFiles.CERTIFICATE))) {
        X509Certificate certificate =
            (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        all.addAll(List.of("-id", certificate.getSerialNumber().toString()));
      } catch (CertificateException e) {
        throw new IOException(e);
      }
    }
    all.addAll(List.of(more));
    return run(all);
  }

  private static void write(Path file, String what, byte[] encoded) throws IOException {
    Files.writeString(file, pem(what, encoded));
  }

  private static String pem(String what, byte[] encoded) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
  }

  private void keytool(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("-genkeypair"));
    if (!List.of(arguments).contains("-keyalg")) {
      all.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    }
    all.addAll(List.of(arguments));
    run(all);
  }

  /** Returns the output of {@code keytool}. */
  private String run(List<String> arguments) throws IOException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(arguments);
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // It starts sooner.
    command.addAll(
        List.of("-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    return said;
  }
}
