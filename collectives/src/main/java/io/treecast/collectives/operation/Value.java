package io.treecast.collectives.operation;

import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a member gives to an operation, and what comes of it. Immutable. */
public sealed interface Value {

  /** What it counts against {@link CombiningLimits}: at least its size on the wire, about. */
  long cost();

  /** That of a barrier, and of a member that only waits for a result. */
  record Nothing() implements Value {
    @Override
    public long cost() {
      return 0;
    }
  }

  /** There is only one. */
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

    /** Copies them. */
    public static Longs of(long... elements) {
      return new Longs(elements.clone());
    }

    /** A copy. */
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

    /** Copies them. */
    public static Doubles of(double... elements) {
      return new Doubles(elements.clone());
    }

    /** A copy. */
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
   * @param byMember whose memory must not be written to
   */
  record Parts(SortedMap<NodeId, ByteBuffer> byMember) implements Value {
    /** What a part counts besides its payload. */
    static final int OVERHEAD_BYTES = 64;

    /** Copies the map. */
    public Parts {
      byMember = Collections.unmodifiableSortedMap(new TreeMap<>(byMember));
    }

    /** That of one member. */
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
