package io.treecast.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.treecast.proto.v1.ElementType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * A view of an array or buffer of numbers, for collective operations on vectors of up to 1 GiB. A
 * buffer may be direct or mapped from a file, in either byte order: {@code
 * channel.map(...).asFloatBuffer()}. The view does not copy: do not change the numbers before the
 * operation has ended.
 *
 * <p>The elements of a buffer are those from its position to its limit, which operations do not
 * change.
 */
public final class NumberVector {
  /** The maximum size of a vector, in bytes. */
  public static final long MAX_BYTES = 1L << 30;

  private final Buffer elements;
  private final ElementType type;
  private final int elementBytes;

  private NumberVector(Buffer elements, ElementType type, int elementBytes) {
    this.elements = elements;
    this.type = type;
    this.elementBytes = elementBytes;
  }

  /** Returns a view of an array. */
  public static NumberVector of(int[] elements) {
    return of(IntBuffer.wrap(elements));
  }

  /** Returns a view of an array. */
  public static NumberVector of(long[] elements) {
    return of(LongBuffer.wrap(elements));
  }

  /** Returns a view of an array. */
  public static NumberVector of(float[] elements) {
    return of(FloatBuffer.wrap(elements));
  }

  /** Returns a view of an array. */
  public static NumberVector of(double[] elements) {
    return of(DoubleBuffer.wrap(elements));
  }

  /** Returns a view of the remaining elements of a buffer. */
  public static NumberVector of(IntBuffer elements) {
    return new NumberVector(elements.slice(), ElementType.ELEMENT_TYPE_INT, Integer.BYTES);
  }

  /** Returns a view of the remaining elements of a buffer. */
  public static NumberVector of(LongBuffer elements) {
    return new NumberVector(elements.slice(), ElementType.ELEMENT_TYPE_LONG, Long.BYTES);
  }

  /** Returns a view of the remaining elements of a buffer. */
  public static NumberVector of(FloatBuffer elements) {
    return new NumberVector(elements.slice(), ElementType.ELEMENT_TYPE_FLOAT, Float.BYTES);
  }

  /** Returns a view of the remaining elements of a buffer. */
  public static NumberVector of(DoubleBuffer elements) {
    return new NumberVector(elements.slice(), ElementType.ELEMENT_TYPE_DOUBLE, Double.BYTES);
  }

  /**
   * Returns the elements.
   *
   * @throws ClassCastException if they are of another type
   */
  public IntBuffer ints() {
    return ((IntBuffer) elements).duplicate();
  }

  /**
   * Returns the elements.
   *
   * @throws ClassCastException if they are of another type
   */
  public LongBuffer longs() {
    return ((LongBuffer) elements).duplicate();
  }

  /**
   * Returns the elements.
   *
   * @throws ClassCastException if they are of another type
   */
  public FloatBuffer floats() {
    return ((FloatBuffer) elements).duplicate();
  }

  /**
   * Returns the elements.
   *
   * @throws ClassCastException if they are of another type
   */
  public DoubleBuffer doubles() {
    return ((DoubleBuffer) elements).duplicate();
  }

  /** Returns the number of elements. */
  public int length() {
    return elements.capacity();
  }

  /** Returns the size of all elements in bytes. */
  public long bytes() {
    return (long) length() * elementBytes;
  }

  ElementType type() {
    return type;
  }

  int elementBytes() {
    return elementBytes;
  }

  boolean isOfWholeNumbers() {
    return type == ElementType.ELEMENT_TYPE_INT || type == ElementType.ELEMENT_TYPE_LONG;
  }

  /** Returns the type for people, for example {@code FLOAT}. */
  String typeName() {
    return type.name().substring("ELEMENT_TYPE_".length());
  }

  boolean isReadOnly() {
    return elements.isReadOnly();
  }

  /** Returns some of the elements in wire format. */
  io.treecast.proto.v1.Vector segment(int from, int count) {
    byte[] packed = new byte[count * elementBytes];
    ByteBuffer into = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    switch (type) {
      case ELEMENT_TYPE_INT -> into.asIntBuffer().put(((IntBuffer) elements).slice(from, count));
      case ELEMENT_TYPE_LONG -> into.asLongBuffer().put(((LongBuffer) elements).slice(from, count));
      case ELEMENT_TYPE_FLOAT ->
          into.asFloatBuffer().put(((FloatBuffer) elements).slice(from, count));
      default -> into.asDoubleBuffer().put(((DoubleBuffer) elements).slice(from, count));
    }
    return io.treecast.proto.v1.Vector.newBuilder()
        .setType(type)
        .setElements(UnsafeByteOperations.unsafeWrap(packed))
        .build();
  }

  /** Stores elements in wire format. */
  void store(int at, ByteString packed) {
    ByteBuffer from = packed.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int count = packed.size() / elementBytes;
    switch (type) {
      case ELEMENT_TYPE_INT -> ((IntBuffer) elements).slice(at, count).put(from.asIntBuffer());
      case ELEMENT_TYPE_LONG -> ((LongBuffer) elements).slice(at, count).put(from.asLongBuffer());
      case ELEMENT_TYPE_FLOAT ->
          ((FloatBuffer) elements).slice(at, count).put(from.asFloatBuffer());
      default -> ((DoubleBuffer) elements).slice(at, count).put(from.asDoubleBuffer());
    }
  }

  /** Divides some of the elements, which are floats or doubles. */
  void divide(int from, int count, int divisor) {
    for (int i = from; i < from + count; i++) {
      if (elements instanceof FloatBuffer floats) {
        floats.put(i, floats.get(i) / divisor);
      } else if (elements instanceof DoubleBuffer doubles) {
        doubles.put(i, doubles.get(i) / divisor);
      }
    }
  }

  /** Returns a new vector of the same type and length, with zeros. */
  NumberVector another() {
    return switch (type) {
      case ELEMENT_TYPE_INT -> of(new int[length()]);
      case ELEMENT_TYPE_LONG -> of(new long[length()]);
      case ELEMENT_TYPE_FLOAT -> of(new float[length()]);
      default -> of(new double[length()]);
    };
  }

  /**
   * Checks that this vector can hold a result for vectors like the given one.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void requireFits(NumberVector from) {
    int count = from.length();
    if (from.type != type || count != length() || isReadOnly()) {
      throw new IllegalArgumentException(
          "the result needs a writable vector of "
              + count
              + " elements of type "
              + from.typeName()
              + ", and has "
              + (isReadOnly() ? "a read-only one of " : "one of ")
              + length()
              + " of type "
              + typeName());
    }
  }

  /** Names the type and the length, for a log. */
  @Override
  public String toString() {
    return "NumberVector[" + length() + " of type " + typeName() + "]";
  }
}
