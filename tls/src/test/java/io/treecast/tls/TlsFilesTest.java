package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateRevokedException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory with a certificate: problems are reported, and a new certificate replaces the old
 * one.
 */
class TlsFilesTest {
  @TempDir static Path shared;
  private static TestAuthority authority;
  private static Path agent;

  @TempDir Path directory;
  private final List<String> problems = new ArrayList<>();
  private int revisions;
  private final List<Instant> used = new ArrayList<>();

  @BeforeAll
  static void issue() throws IOException {
    authority = new TestAuthority();
    agent = authority.agent("h1", shared.resolve("h1"));
  }

  private void copy(Path from, String... names) throws IOException {
    for (String name : names.length == 0 ? new String[] {"tls.crt", "tls.key", "ca.crt"} : names) {
      Files.deleteIfExists(directory.resolve(name));
      Files.copy(from.resolve(name), directory.resolve(name));
      // Newer than the previous file, even immediately after it.
      Files.setLastModifiedTime(
          directory.resolve(name), FileTime.from(Instant.now().plusSeconds(problems.size() + 1)));
    }
  }

  /** Writes lists, with a new modification time. */
  private void revoke(String lists) throws IOException {
    Path file = directory.resolve("crl.pem");
    Files.writeString(file, lists);
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(++revisions)));
  }

  private void assertRefused(String... values) {
    assertRefused(false, values);
  }

  private void assertRefusedNow(String... values) {
    assertRefused(true, values);
  }

  private void assertRefused(boolean mayPass, String... values) {
    assertThatExceptionOfType(TlsFilesException.class)
        .isThrownBy(() -> TlsFiles.ofAgent(directory, "h1", problems::add).close())
        .withMessageContainingAll(values)
        .returns(mayPass, TlsFilesException::mayPass);
  }

  @Test
  void an_agents_certificate_names_it_and_expires() throws Exception {
    try (TlsFiles files = TlsFiles.ofAgent(agent, "h1", problems::add)) {
      assertThat(files.expires())
          .isBetween(Instant.now(), Instant.now().plus(Duration.ofHours(25)));
    }
    try (TlsFiles files = TlsFiles.ofApplication(agent, problems::add)) {
      assertThat(files.toAgent())
          .isNotNull(); // An agent's certificate may be used by an application.
    }
  }

  @Test
  void a_certificate_of_another_agent_or_of_none() throws Exception {
    copy(
        authority.issue(
            shared.resolve("two"),
            CertificateTerms.of("uri:treecast:node:a", "uri:treecast:node:b")));
    assertRefused("tls.crt: ", " a, b,", " h1;", "treecast:node:h1");

    copy(
        authority.issue(
            shared.resolve("host"), CertificateTerms.of("dns:h1", "uri:other:node:h1")));
    assertRefused("tls.crt: ", "treecast:node:h1");

    copy(authority.application(shared.resolve("application")));
    assertRefused("tls.crt: ", "treecast:node:h1");
  }

  @Test
  void a_file_is_missing() throws Exception {
    copy(agent, "tls.crt", "tls.key");
    assertRefusedNow(directory.resolve("ca.crt").toString());
  }

  @Test
  void a_file_is_not_a_directory() {
    assertThatExceptionOfType(TlsFilesException.class)
        .isThrownBy(() -> TlsFiles.ofApplication(agent.resolve("tls.crt"), problems::add).close())
        .withMessage(agent.resolve("tls.crt") + " is not a directory");
  }

  @Test
  void a_file_without_certificates_is_refused() throws Exception {
    copy(agent);
    Files.writeString(directory.resolve("ca.crt"), "");
    assertRefused("ca.crt");
    Files.writeString(directory.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----\nhello\n");
    assertRefused("ca.crt: ", "PEM");
    Files.write(directory.resolve("ca.crt"), new byte[(1 << 20) + 1]);
    assertRefused("ca.crt ", "1048576 bytes");
    Files.delete(directory.resolve("ca.crt"));
    Files.createDirectory(directory.resolve("ca.crt"));
    assertRefused("ca.crt ");
  }

  @Test
  void a_key_of_another_form() throws Exception {
    copy(agent);
    String key = Files.readString(directory.resolve("tls.key"));
    Files.writeString(directory.resolve("tls.key"), key.replace("PRIVATE", "EC PRIVATE"));
    assertRefused("tls.key", "openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW");
    Files.writeString(directory.resolve("tls.key"), key.replace("PRIVATE", "ENCRYPTED PRIVATE"));
    assertRefused("tls.key", "PKCS#8");
    Files.writeString(
        directory.resolve("tls.key"),
        "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n");
    assertRefused("tls.key: ");
  }

  @Test
  void a_key_of_another_certificate() throws Exception {
    copy(agent);
    copy(authority.agent("h1", shared.resolve("again")), "tls.key");
    assertRefused(directory.resolve("tls.key").toString(), directory.resolve("tls.crt").toString());

    Path rsa = shared.resolve("rsa");
    copy(authority.issue(rsa, CertificateTerms.ofAgent("h1").withRsaKey()), "tls.key");
    assertRefused(directory.resolve("tls.key").toString(), directory.resolve("tls.crt").toString());
    copy(rsa);
    TlsFiles.ofAgent(directory, "h1", problems::add).close(); // RSA works, too.
  }

  @Test
  void a_certificate_that_has_expired_or_is_not_valid_yet() throws Exception {
    copy(
        authority.issue(
            shared.resolve("old"),
            CertificateTerms.ofAgent("h1").valid(Duration.ofDays(-2), Duration.ofDays(1))));
    assertRefusedNow("tls.crt: ", " 2");
    copy(
        authority.issue(
            shared.resolve("new"),
            CertificateTerms.ofAgent("h1").valid(Duration.ofDays(1), Duration.ofDays(1))));
    assertRefusedNow("tls.crt: ", "clock");
  }

  @Test
  void changed_files_are_used_if_they_belong_together() throws Exception {
    copy(agent);
    try (TlsFiles files = TlsFiles.ofAgent(directory, "h1", new Told())) {
      final Instant before = files.expires();
      Path later =
          authority.issue(
              shared.resolve("later"),
              CertificateTerms.ofAgent("h1").valid(Duration.ZERO, Duration.ofDays(2)));

      files.look(Instant.now());
      assertThat(files.expires()).isEqualTo(before);
      copy(later, "tls.crt"); // Its key follows a moment later.
      files.look(Instant.now());
      assertThat(files.expires()).isEqualTo(before);
      assertThat(problems).singleElement().asString().contains("tls.key", "tls.crt");
      copy(later, "tls.key");
      files.look(Instant.now());

      assertThat(files.expires()).isAfter(before.plus(Duration.ofHours(23)));
      assertThat(problems).hasSize(1);
      assertThat(used).containsExactly(files.expires());
    }
  }

  @Test
  void a_certificate_that_expires_while_in_use_is_reported_once() throws Exception {
    copy(agent);
    try (TlsFiles files = TlsFiles.ofAgent(directory, "h1", new Told())) {
      Instant expires = files.expires();

      files.look(expires);
      assertThat(problems).isEmpty();
      files.look(expires.plusSeconds(1));
      files.look(expires.plusSeconds(61));

      assertThat(problems)
          .singleElement()
          .asString()
          .startsWith(directory.resolve("tls.crt") + ": ")
          .contains(expires.toString());
    }
  }

  @Test
  void the_certificate_of_an_authority_is_refused() throws Exception {
    copy(authority.issue(shared.resolve("issuer"), CertificateTerms.ofAgent("h1").thatIssues()));
    assertRefused("tls.crt: ", "CA certificate");
  }

  @Test
  void a_key_that_others_can_read_is_warned_of() throws Exception {
    copy(agent);
    Path key = directory.resolve("tls.key");
    for (String permissions : List.of("rw-r--r--", "rw----r--", "rw-r-----")) {
      problems.clear();
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
      TlsFiles.ofAgent(directory, "h1", problems::add).close();
      assertThat(problems).as(permissions).singleElement().asString().startsWith(key + ": ");
    }

    problems.clear();
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    TlsFiles.ofAgent(directory, "h1", problems::add).close();
    assertThat(problems).isEmpty();
  }

  @Test
  void a_new_key_that_others_can_read_is_warned_of() throws Exception {
    copy(agent);
    try (TlsFiles files = TlsFiles.ofAgent(directory, "h1", problems::add)) {
      copy(authority.agent("h1", shared.resolve("open")));
      Files.setPosixFilePermissions(
          directory.resolve("tls.key"), PosixFilePermissions.fromString("rw-r--r--"));

      files.look(Instant.now());

      assertThat(problems)
          .singleElement()
          .asString()
          .startsWith(directory.resolve("tls.key") + ": ");
    }
  }

  @Test
  void a_list_of_revoked_certificates_that_expires_is_warned_of_once_and_counts_still()
      throws Exception {
    copy(agent);
    Path revoked = authority.application(shared.resolve("revoked"));
    revoke(authority.revocations(List.of(revoked), Duration.ofDays(-3), Duration.ofDays(2)));
    try (TlsFiles files = TlsFiles.ofAgent(directory, "h1", problems::add)) {
      assertThat(problems)
          .singleElement()
          .asString()
          .startsWith(directory.resolve("crl.pem") + ": ");
      files.look(Instant.now());
      assertThat(problems).hasSize(1);

      Instant before = Instant.now();
      revoke(authority.revocations(List.of(revoked), Duration.ZERO, Duration.ofDays(2)));
      files.look(before);
      assertThat(problems).hasSize(1);
      files.look(before.plus(Duration.ofDays(3)));
      assertThat(problems).last().asString().startsWith(directory.resolve("crl.pem") + ": ");
    }
    RevocationList list = PemFiles.read(directory).revoked();
    assertThatExceptionOfType(CertificateRevokedException.class)
        .isThrownBy(
            () ->
                list.requireNotRevoked(
                    PemFiles.read(revoked).chain().toArray(new X509Certificate[0])));
  }

  @Test
  void a_revoked_certificate_of_its_own_is_warned_of() throws Exception {
    copy(agent);
    revoke(authority.revocations(List.of(agent)));
    TlsFiles.ofAgent(directory, "h1", problems::add).close();
    assertThat(problems).singleElement().asString().startsWith(directory.resolve("tls.crt") + ": ");
  }

  @Test
  void a_revocation_list_of_an_untrusted_authority_is_refused() throws Exception {
    copy(agent);
    revoke("");
    assertRefused("crl.pem ");
    revoke("-----BEGIN X509 CRL-----\nhello\n-----END X509 CRL-----\n");
    assertRefused("crl.pem: ", "PEM");
    revoke(new TestAuthority().revocations(List.of(agent)));
    assertRefused("crl.pem", "ca.crt");
    Files.delete(directory.resolve("crl.pem"));
    TlsFiles.ofAgent(directory, "h1", problems::add).close();
  }

  @Test
  void a_list_that_cannot_be_used_leaves_the_former_one_in_use() throws Exception {
    copy(agent);
    Path revoked = authority.application(shared.resolve("still revoked"));
    revoke(authority.revocations(List.of(revoked)));
    try (TlsFiles files = TlsFiles.ofAgent(directory, "h1", new Told())) {
      revoke("");
      files.look(Instant.now());
      assertThat(problems).singleElement().asString().contains("crl.pem ");
      assertThat(used).isEmpty();
    }
  }

  private final class Told implements TlsFiles.Changes {
    @Override
    public void warned(String why) {
      problems.add(why);
    }

    @Override
    public void used(Instant expires) {
      used.add(expires);
    }
  }

  @Test
  void only_names_of_one_kind_are_node_ids() throws Exception {
    copy(
        authority.issue(
            shared.resolve("mixed"),
            CertificateTerms.of("dns:h9", "uri:treecast:node:h1", "ip:10.0.0.1")));
    X509Certificate mixed = PemFiles.read(directory).chain().get(0);

    assertThat(NodeCertificate.nodeIds(mixed)).containsExactly("h1");
    assertThat(PemFiles.read(directory)).hasToString("of CN=certificate"); // Leaves out the key.
  }
}
