package io.treecast.tls;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why a connection by TLS did not come about, in words for a person. No state. */
public final class TlsFailure {
  private TlsFailure() {}

  /**
   * What is to be said of a failure that has to do with TLS; null if it has not.
   *
   * @param failure and its causes
   */
  public static @Nullable String text(@Nullable Throwable failure) {
    Throwable last = null;
    boolean isOfTls = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      isOfTls |= cause instanceof SSLException || cause instanceof CertificateException;
      last = cause;
    }
    return isOfTls && last != null ? words(last) : null;
  }

  private static String words(Throwable root) {
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    if (message.startsWith("not an SSL/TLS record")) {
      return "the other end talks plain text, and this one TLS";
    }
    if (root instanceof CertificateExpiredException) {
      return "the other end's certificate has expired (" + message + ")";
    }
    if (root instanceof CertificateNotYetValidException) {
      return "the other end's certificate is not valid yet (" + message + ")";
    }
    if (root instanceof CertPathValidatorException || root instanceof CertPathBuilderException) {
      return "the other end's certificate is not of an authority in " + TlsFiles.TRUSTED;
    }
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("alert")) {
      return "the other end refuses this one's certificate, or its kind of TLS; is it valid still, and"
          + " of an authority in "
          + TlsFiles.TRUSTED
          + " there?";
    }
    return root instanceof CertificateException ? message : "TLS: " + message;
  }
}
