package io.treecast.client;

import io.treecast.proto.v1.CollectiveValue;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A member's contribution to a collective operation. Only {@link #copy} copies it, so that one that
 * is too large is refused by its size alone. For one thread.
 *
 * @param bytes the bytes that it counts at agents
 * @param copy makes the contribution for the wire
 */
record Contribution(long bytes, Supplier<CollectiveValue> copy) {
  /** The maximum contribution that agents accept, whatever their {@code limits.collectiveBytes}. */
  static final int MAX_BYTES = 4 * 1024 * 1024;

  /** The bytes that an element of a vector counts. */
  private static final int ELEMENT_BYTES = 8;

  /** The bytes that a part counts beside its payload. */
  private static final int PART_BYTES = 64;

  /** The contribution to a barrier, and of a receiver of a scatter. */
  static final Contribution NOTHING = new Contribution(0, CollectiveValue::getDefaultInstance);

  static Contribution of(long[] vector) {
    long elements = Objects.requireNonNull(vector, "vector").length;
    return new Contribution(elements * ELEMENT_BYTES, () -> ToWire.vector(vector));
  }

  static Contribution of(double[] vector) {
    long elements = Objects.requireNonNull(vector, "vector").length;
    return new Contribution(elements * ELEMENT_BYTES, () -> ToWire.vector(vector));
  }

  static Contribution of(NumberVector vector) {
    return new Contribution(vector.bytes(), () -> ToWire.vector(vector));
  }

  /** Returns the contribution to a gather. */
  static Contribution of(byte[] payload) {
    long bytes = Objects.requireNonNull(payload, "payload").length;
    return new Contribution(bytes + PART_BYTES, () -> ToWire.ownPart(payload));
  }

  /**
   * Returns the contribution to a scatter.
   *
   * @throws IllegalArgumentException if a member has no id
   */
  static Contribution of(Map<String, byte[]> parts) {
    long bytes = 0;
    for (Map.Entry<String, byte[]> part : Objects.requireNonNull(parts, "parts").entrySet()) {
      String member = OperationName.checkedMember(part.getKey(), "member");
      byte[] payload = Objects.requireNonNull(part.getValue(), () -> "part for " + member);
      bytes += payload.length + PART_BYTES;
    }
    return new Contribution(bytes, () -> ToWire.parts(parts));
  }
}
