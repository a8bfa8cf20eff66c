package io.treecast.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.CRLReason;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The explanations of failures, by their root cause. */
class TlsFailureTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new SSLException("not an SSL/TLS record: 0000"),
            "the other end talks plain text, and this one TLS"),
        Arguments.of(
            handshake(new CertificateExpiredException("NotAfter: yesterday")),
            "the other end's certificate has expired (NotAfter: yesterday)"),
        Arguments.of(
            handshake(new CertificateNotYetValidException("NotBefore: tomorrow")),
            "the other end's certificate is not valid yet (NotBefore: tomorrow)"),
        Arguments.of(
            handshake(
                new CertificateRevokedException(
                    Date.from(Instant.EPOCH),
                    CRLReason.KEY_COMPROMISE,
                    new X500Principal("CN=a"),
                    Map.of())),
            "the other end's certificate has been revoked, as crl.pem here says"),
        Arguments.of(
            handshake(new CertPathValidatorException("no anchor")),
            "the other end's certificate is not of an authority in ca.crt"),
        Arguments.of(
            new SSLHandshakeException("Received fatal alert: bad_certificate"),
            "the other end refuses this one's certificate, or its kind of TLS; is it still valid, not"
                + " revoked, and of an authority in ca.crt there?"),
        Arguments.of(
            handshake(new CertPathBuilderException("no path")),
            "the other end's certificate is not of an authority in ca.crt"),
        Arguments.of(handshake(new CertificateException("it is odd")), "it is odd"),
        Arguments.of(
            new SSLException("no cipher suites in common"), "TLS: no cipher suites in common"),
        Arguments.of(new IOException("reset", new IOException("by peer")), null),
        Arguments.of(null, null));
  }

  private static Exception handshake(Exception cause) {
    return new IOException("io exception", new SSLHandshakeException("it failed").initCause(cause));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void a_failure_is_described_in_words(@Nullable Throwable failure, @Nullable String words) {
    assertThat(TlsFailure.text(failure)).isEqualTo(words);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void each_failure_of_tls_and_no_other_has_a_remedy_of_its_own(
      @Nullable Throwable failure, @Nullable String words) {
    String remedy = TlsFailure.remedy(failure);
    if (words == null) {
      assertThat(remedy).isNull();
    } else if (words.startsWith("the other end's certificate has")) {
      assertThat(remedy).isEqualTo("put a new tls.crt there");
    } else if (words.startsWith("the other end's certificate is not of")) {
      assertThat(remedy).isEqualTo("look at ca.crt here, and at the issuer of tls.crt there");
    } else if (words.startsWith("the other end refuses")) {
      assertThat(remedy)
          .isEqualTo("look at ca.crt there, and at the issuer of tls.crt here and its expiry");
    } else {
      assertThat(remedy).containsAnyOf("certificate", "tls.crt");
    }
  }

  @Test
  void a_failure_without_a_message_is_one_all_the_same() {
    assertThat(TlsFailure.text(new CertificateException()))
        .isEqualTo("java.security.cert.CertificateException");
  }
}
