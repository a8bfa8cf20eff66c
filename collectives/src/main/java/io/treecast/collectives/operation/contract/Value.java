package io.treecast.collectives.operation.contract;

import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A contribution to an operation, or its result. Immutable. */
public sealed interface Value {

  /** Returns the cost against {@link CombiningLimits}: roughly at least the size on the wire. */
  long cost();

  /** The value of a barrier, and of a member that only waits for a result. */
  record Nothing() implements Value {
    @Override
    public long cost() {
      return 0;
    }
  }

  /** The only instance. */
  Nothing NOTHING = new Nothing();

  /** A vector of numbers. */
  final class Vector implements Value {
    private final ElementType type;
    private final byte[] packed;

    private Vector(ElementType type, byte[] packed) {
      this.type = type;
      this.packed = packed;
    }

    /**
     * Returns a vector of elements in little-endian order.
     *
     * @param packed not copied, so it must not change afterwards
     * @throws IllegalArgumentException if the last element is incomplete
     */
    public static Vector of(ElementType type, byte[] packed) {
      if (packed.length % type.elementBytes() != 0) {
        throw new IllegalArgumentException(
            packed.length + " bytes are not a whole number of " + type.described());
      }
      return new Vector(type, packed);
    }

    public ElementType type() {
      return type;
    }

    public int length() {
      return packed.length / type.elementBytes();
    }

    /** Returns the elements in little-endian order; the array must not be changed. */
    public byte[] packed() {
      return packed;
    }

    /**
     * Returns the elements of a vector of {@link ElementType#LONG}.
     *
     * @throws IllegalStateException if it is of another type
     */
    public long[] longs() {
      requireType(ElementType.LONG);
      long[] elements = new long[length()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = (long) ElementType.LONGS.get(packed, i * Long.BYTES);
      }
      return elements;
    }

    /**
     * Returns the elements of a vector of {@link ElementType#DOUBLE}.
     *
     * @throws IllegalStateException if it is of another type
     */
    public double[] doubles() {
      requireType(ElementType.DOUBLE);
      double[] elements = new double[length()];
      for (int i = 0; i < elements.length; i++) {
        elements[i] = (double) ElementType.DOUBLES.get(packed, i * Double.BYTES);
      }
      return elements;
    }

    /**
     * Returns these elements with the number of their member.
     *
     * @param withMember the type of the result
     * @throws IllegalArgumentException if this vector is not of the type of its numbers
     */
    public Vector ofMember(ElementType withMember, int number) {
      if (type.hasMember() || !withMember.name().startsWith(type.name() + "_")) {
        throw new IllegalArgumentException(
            "a vector of " + type.described() + "; needed is one of " + withMember.described());
      }
      byte[] more = new byte[length() * withMember.elementBytes()];
      for (int i = 0; i < length(); i++) {
        int at = i * withMember.elementBytes();
        for (int j = 0; j < type.elementBytes(); j++) {
          more[at + j] = packed[i * type.elementBytes() + j];
        }
        ElementType.INTS.set(more, at + type.elementBytes(), number);
      }
      return new Vector(withMember, more);
    }

    private void requireType(ElementType due) {
      if (type != due) {
        throw new IllegalStateException("a vector of " + type.described());
      }
    }

    @Override
    public long cost() {
      return packed.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Vector that
          && type == that.type
          && Arrays.equals(packed, that.packed);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(packed);
    }

    @Override
    public String toString() {
      return switch (type) {
        case LONG -> Arrays.toString(longs());
        case DOUBLE -> Arrays.toString(doubles());
        default -> length() + " " + type.described();
      };
    }
  }

  /** Returns a vector of 64-bit integers. */
  static Vector longs(long... elements) {
    byte[] packed = new byte[Math.multiplyExact(elements.length, Long.BYTES)];
    for (int i = 0; i < elements.length; i++) {
      ElementType.LONGS.set(packed, i * Long.BYTES, elements[i]);
    }
    return new Vector(ElementType.LONG, packed);
  }

  static Vector doubles(double... elements) {
    byte[] packed = new byte[Math.multiplyExact(elements.length, Double.BYTES)];
    for (int i = 0; i < elements.length; i++) {
      ElementType.DOUBLES.set(packed, i * Double.BYTES, elements[i]);
    }
    return new Vector(ElementType.DOUBLE, packed);
  }

  /**
   * A payload of each member, or for each.
   *
   * @param byMember payloads whose memory must not be written to
   */
  record Parts(SortedMap<NodeId, ByteBuffer> byMember) implements Value {
    /** The fixed cost of a part besides its payload. */
    static final int OVERHEAD_BYTES = 64;

    /** Copies the map. */
    public Parts {
      byMember = Collections.unmodifiableSortedMap(new TreeMap<>(byMember));
    }

    /** Returns the part of one member. */
    public static Parts of(NodeId member, ByteBuffer payload) {
      return new Parts(new TreeMap<>(Map.of(member, payload)));
    }

    @Override
    public long cost() {
      long cost = (long) OVERHEAD_BYTES * byMember.size();
      for (ByteBuffer payload : byMember.values()) {
        cost += payload.remaining();
      }
      return cost;
    }
  }
}
