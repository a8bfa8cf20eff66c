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
        Arguments.of(new SSLException("not an SSL/TLS record: 0000"), "plain text", "plain text"),
        Arguments.of(
            handshake(new CertificateExpiredException("NotAfter: yesterday")),
            "NotAfter: yesterday",
            "tls.crt"),
        Arguments.of(
            handshake(new CertificateNotYetValidException("NotBefore: tomorrow")),
            "NotBefore: tomorrow",
            "clocks"),
        Arguments.of(
            handshake(
                new CertificateRevokedException(
                    Date.from(Instant.EPOCH),
                    CRLReason.KEY_COMPROMISE,
                    new X500Principal("CN=a"),
                    Map.of())),
            "crl.pem",
            "tls.crt"),
        Arguments.of(
            handshake(new CertPathValidatorException("no anchor")), "ca.crt", "ca.crt here"),
        Arguments.of(
            new SSLHandshakeException("Received fatal alert: bad_certificate"),
            "ca.crt",
            "ca.crt there"),
        Arguments.of(handshake(new CertPathBuilderException("no path")), "ca.crt", "ca.crt here"),
        Arguments.of(handshake(new CertificateException("odd")), "odd", "certificates"),
        Arguments.of(new SSLException("no common suite"), "TLS: no common suite", "certificates"),
        Arguments.of(new IOException("reset", new IOException("by peer")), null, null),
        Arguments.of(null, null, null));
  }

  private static Exception handshake(Exception cause) {
    return new IOException("io exception", new SSLHandshakeException("it failed").initCause(cause));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void each_failure_of_tls_and_no_other_has_a_text_and_a_remedy(
      @Nullable Throwable failure, @Nullable String named, @Nullable String remedy) {
    if (named == null || remedy == null) {
      assertThat(TlsFailure.text(failure)).isNull();
      assertThat(TlsFailure.remedy(failure)).isNull();
    } else {
      assertThat(TlsFailure.text(failure)).contains(named);
      assertThat(TlsFailure.remedy(failure)).contains(remedy);
    }
  }

  @Test
  void causes_have_different_texts() {
    assertThat(failures().map(each -> TlsFailure.text((Throwable) each.get()[0])).distinct())
        .hasSize(9);
  }

  @Test
  void a_failure_without_a_message_is_one_all_the_same() {
    assertThat(TlsFailure.text(new CertificateException()))
        .isEqualTo("java.security.cert.CertificateException");
  }
}
