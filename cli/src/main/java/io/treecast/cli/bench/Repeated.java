package io.treecast.cli.bench;

import java.io.InputStream;
import java.util.Objects;

/** A stream that repeats the same bytes, up to a size. Not thread-safe. */
final class Repeated extends InputStream {
  private final byte[] bytes;
  private int left;

  Repeated(byte[] bytes, int size) {
    this.bytes = bytes;
    this.left = size;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (left == 0) {
      return -1;
    }
    int count = Math.min(length, Math.min(left, bytes.length));
    System.arraycopy(bytes, 0, into, offset, count);
    left -= count;
    return count;
  }
}
