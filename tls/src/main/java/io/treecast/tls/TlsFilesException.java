package io.treecast.tls;

/** A directory has no certificate that can be used; the message says which file, and what to do. */
public final class TlsFilesException extends Exception {
  private static final long serialVersionUID = 1L;

  TlsFilesException(String message) {
    super(message);
  }
}
