package io.treecast.tls;

/** A directory has no certificate that can be used; the message says which file, and what to do. */
public final class TlsFilesException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean mayPass;

  TlsFilesException(String message) {
    this(message, false);
  }

  private TlsFilesException(String message, boolean mayPass) {
    super(message);
    this.mayPass = mayPass;
  }

  /** For files that are not there yet, or a certificate that is not valid at this time. */
  static TlsFilesException now(String message) {
    return new TlsFilesException(message, true);
  }

  /** Whether the same directory may do at another time. */
  public boolean mayPass() {
    return mayPass;
  }
}
