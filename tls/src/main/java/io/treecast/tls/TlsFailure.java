package io.treecast.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains to people why a TLS connection failed, and how to repair it. Stateless. */
public final class TlsFailure {
  /**
   * An explanation.
   *
   * @param why the cause
   * @param remedy the action to take
   */
  private record Words(String why, String remedy) {}

  private TlsFailure() {}

  /**
   * Returns the explanation of a failure that TLS has caused; null for others.
   *
   * @param failure examined with its causes
   */
  public static @Nullable String text(@Nullable Throwable failure) {
    Words words = words(failure);
    return words == null ? null : words.why;
  }

  /**
   * Returns the remedy for a failure that TLS has caused; null for others.
   *
   * @param failure examined with its causes
   */
  public static @Nullable String remedy(@Nullable Throwable failure) {
    Words words = words(failure);
    return words == null ? null : words.remedy;
  }

  private static @Nullable Words words(@Nullable Throwable failure) {
    Throwable last = null;
    boolean isOfTls = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      isOfTls |= cause instanceof SSLException || cause instanceof CertificateException;
      last = cause;
    }
    return isOfTls && last != null ? ofRoot(last) : null;
  }

  private static Words ofRoot(Throwable root) {
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    if (message.startsWith("not an SSL/TLS record")) {
      return new Words(
          "the other end talks plain text, and this one TLS",
          "correct the address, give the other end a certificate, or talk plain text here, too");
    }
    if (root instanceof CertificateExpiredException) {
      return new Words(
          "the other end's certificate has expired (" + message + ")",
          "put a new " + TlsFiles.CERTIFICATE + " there");
    }
    if (root instanceof CertificateNotYetValidException) {
      return new Words(
          "the other end's certificate is not valid yet (" + message + ")",
          "compare the clocks of both ends, or put another " + TlsFiles.CERTIFICATE + " there");
    }
    if (root instanceof CertificateRevokedException) {
      return new Words(
          "the other end's certificate has been revoked, as " + TlsFiles.REVOKED + " here says",
          "put a new " + TlsFiles.CERTIFICATE + " there");
    }
    if (root instanceof CertPathValidatorException || root instanceof CertPathBuilderException) {
      return new Words(
          "the other end's certificate is not of an authority in " + TlsFiles.TRUSTED,
          "look at %s here, and at the issuer of %s there"
              .formatted(TlsFiles.TRUSTED, TlsFiles.CERTIFICATE));
    }
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("alert")) {
      return new Words(
          "the other end refuses this one's certificate, or its kind of TLS; is it still valid, not"
              + " revoked, and of an authority in "
              + TlsFiles.TRUSTED
              + " there?",
          "look at %s there, and at the issuer of %s here and its expiry"
              .formatted(TlsFiles.TRUSTED, TlsFiles.CERTIFICATE));
    }
    return new Words(
        root instanceof CertificateException ? message : "TLS: " + message,
        "correct the address, or look at the certificates of both ends");
  }
}
