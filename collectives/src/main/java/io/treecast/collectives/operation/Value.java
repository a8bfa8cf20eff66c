package io.treecast.collectives.operation;

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

  /** A vector of 64-bit integers. */
  final class Longs implements Value {
    private final long[] elements;

    private Longs(long[] elements) {
      this.elements = elements;
    }

    int length() {
      return elements.length;
    }

    /** Returns a vector with a copy of the elements. */
    public static Longs of(long... elements) {
      return new Longs(elements.clone());
    }

    /** Returns a copy of the elements. */
    public long[] elements() {
      return elements.clone();
    }

    @Override
    public long cost() {
      return (long) elements.length * Long.BYTES;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Longs that && Arrays.equals(elements, that.elements);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(elements);
    }

    @Override
    public String toString() {
      return Arrays.toString(elements);
    }
  }

  /** A vector of doubles. */
  final class Doubles implements Value {
    private final double[] elements;

    private Doubles(double[] elements) {
      this.elements = elements;
    }

    int length() {
      return elements.length;
    }

    /** Returns a vector with a copy of the elements. */
    public static Doubles of(double... elements) {
      return new Doubles(elements.clone());
    }

    /** Returns a copy of the elements. */
    public double[] elements() {
      return elements.clone();
    }

    @Override
    public long cost() {
      return (long) elements.length * Double.BYTES;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Doubles that && Arrays.equals(elements, that.elements);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(elements);
    }

    @Override
    public String toString() {
      return Arrays.toString(elements);
    }
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
