package io.treecast.testkit.network;

import java.io.IOException;

/**
 * Thrown for a file that is not a matrix of round-trip times; the message has the place, the error
 * and the allowed values.
 */
public final class MatrixFormatException extends IOException {
  private static final long serialVersionUID = 1;

  MatrixFormatException(String message) {
    super(message);
  }
}
