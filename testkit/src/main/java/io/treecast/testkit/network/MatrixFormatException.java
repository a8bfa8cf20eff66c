package io.treecast.testkit.network;

import java.io.IOException;

/**
 * A file is not a matrix of round-trip times; the message says where, what, and what is allowed.
 */
public final class MatrixFormatException extends IOException {
  private static final long serialVersionUID = 1;

  MatrixFormatException(String message) {
    super(message);
  }
}
