package io.treecast.client;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The CRC32C of a payload, computed over protobuf's own memory, because a read-only buffer would be
 * copied through a small array first. For one thread at a time.
 */
final class PayloadChecksum extends ByteOutput {
  private final CRC32C checksum = new CRC32C();

  void update(ByteString payload) {
    try {
      UnsafeByteOperations.unsafeWriteTo(payload, this);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  int value() {
    return (int) checksum.getValue();
  }

  @Override
  public void write(byte value) {
    checksum.update(value);
  }

  @Override
  public void write(byte[] value, int offset, int length) {
    checksum.update(value, offset, length);
  }

  @Override
  public void writeLazy(byte[] value, int offset, int length) {
    checksum.update(value, offset, length);
  }

  @Override
  public void write(ByteBuffer value) {
    checksum.update(value);
  }

  @Override
  public void writeLazy(ByteBuffer value) {
    checksum.update(value);
  }
}
