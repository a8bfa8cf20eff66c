package io.treecast.tls;

/** Thrown when a directory has no usable certificate; the message names the file and the remedy. */
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

  /**
   * Creates an exception for files that do not exist yet, or a certificate that is not valid at
   * this time.
   */
  static TlsFilesException now(String message) {
    return new TlsFilesException(message, true);
  }

  /** Returns whether the directory may become usable later. */
  public boolean mayPass() {
    return mayPass;
  }
}
