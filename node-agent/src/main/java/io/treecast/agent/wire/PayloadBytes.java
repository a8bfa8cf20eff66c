package io.treecast.agent.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Payloads between protobuf's type and that of the core, not copied unless it says so. An array
 * that protobuf has read into stays within reach, so that what is sent on is written from it: a
 * read-only buffer would go through a small array of protobuf's, piece by piece. Nobody writes to a
 * payload. Stateless.
 */
public final class PayloadBytes {
  private PayloadBytes() {}

  static ByteString of(ByteBuffer payload) {
    return UnsafeByteOperations.unsafeWrap(payload);
  }

  /** Returns a view of the bytes, not to be written to. */
  public static ByteBuffer of(ByteString payload) {
    ArrayWithin found = new ArrayWithin();
    try {
      UnsafeByteOperations.unsafeWriteTo(payload, found);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    ByteBuffer view = found.view;
    return view == null || view.remaining() < payload.size()
        ? payload.asReadOnlyByteBuffer()
        : view;
  }

  /**
   * The same, or a copy if the bytes share the array with much else: who keeps them alone is not to
   * keep that, too.
   */
  static ByteBuffer alone(ByteString payload) {
    ByteBuffer view = of(payload);
    int bytes = view.remaining();
    return view.hasArray() && view.capacity() - bytes <= bytes / 8
        ? view
        : ByteBuffer.wrap(payload.toByteArray());
  }

  /** Is shown what a byte string consists of; keeps the last array. */
  private static final class ArrayWithin extends ByteOutput {
    @Nullable ByteBuffer view;

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int length) {}

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      view = ByteBuffer.wrap(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }
}
