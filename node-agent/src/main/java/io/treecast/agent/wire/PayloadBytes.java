package io.treecast.agent.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Converts payloads between the types of protobuf and of the core, without a copy unless stated.
 * The array of a received payload stays accessible, so that it can be sent directly: protobuf would
 * copy a read-only buffer piece by piece through a small array. Payloads must not be modified.
 * Stateless.
 */
public final class PayloadBytes {
  private PayloadBytes() {}

  static ByteString of(ByteBuffer payload) {
    return UnsafeByteOperations.unsafeWrap(payload);
  }

  /** Returns a view of the bytes, which must not be modified. */
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
   * Returns a view. Returns a copy if the bytes share their array with much other data, which would
   * be retained with them.
   */
  static ByteBuffer alone(ByteString payload) {
    ByteBuffer view = of(payload);
    int bytes = view.remaining();
    return view.hasArray() && view.capacity() - bytes <= bytes / 8
        ? view
        : ByteBuffer.wrap(payload.toByteArray());
  }

  /** Receives the parts of a byte string; keeps the last array. */
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
