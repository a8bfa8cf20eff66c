package io.treecast.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.treecast.tls.NodeCertificate;
import io.treecast.tls.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory with a certificate of one day for an agent, and with its authority, until it is
 * closed. Java's {@code keytool} makes it, since the library of Java cannot.
 */
final class WarmUpCertificate implements AutoCloseable {
  private static final String STORE = "keys.p12";
  private static final String AUTHORITY = "authority";
  private static final String AGENT = "agent";
  private static final String PASSWORD = "not secret"; // The keys are deleted a moment later.

  private final Path directory = Files.createTempDirectory("treecast-warm-up");

  /**
   * Creates the files.
   *
   * @throws IOException if this Java has no keytool, or the files cannot be written
   */
  WarmUpCertificate(String nodeId) throws IOException {
    try {
      create(nodeId);
    } catch (GeneralSecurityException e) {
      close();
      throw new IOException(e);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void create(String nodeId) throws IOException, GeneralSecurityException {
    keytool(AUTHORITY, "CN=treecast", "bc:c");
    String identity = "san=uri:" + NodeCertificate.PREFIX + nodeId;
    keytool(AGENT, "CN=" + nodeId, identity, "-signer", AUTHORITY);
    try (InputStream in = Files.newInputStream(directory.resolve(STORE))) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      writePem(TlsFiles.CERTIFICATE, "CERTIFICATE", store.getCertificate(AGENT).getEncoded());
      writePem(TlsFiles.TRUSTED, "CERTIFICATE", store.getCertificate(AUTHORITY).getEncoded());
      writePem(
          TlsFiles.KEY, "PRIVATE KEY", store.getKey(AGENT, PASSWORD.toCharArray()).getEncoded());
    }
  }

  private void keytool(String alias, String name, String extension, String... more)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-validity", "1", "-storetype", "PKCS12", "-keystore", STORE));
    command.addAll(List.of("-storepass", PASSWORD, "-alias", alias));
    command.addAll(List.of("-dname", name, "-ext", extension));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    int exitCode = process.onExit().join().exitValue();
    if (exitCode != 0) {
      throw new IOException("keytool ended with " + exitCode);
    }
  }

  Path directory() {
    return directory;
  }

  private void writePem(String name, String type, byte[] der) throws IOException {
    Path file = directory.resolve(name);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        file,
        "-----BEGIN "
            + type
            + "-----\n"
            + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(der)
            + "\n-----END "
            + type
            + "-----\n");
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
