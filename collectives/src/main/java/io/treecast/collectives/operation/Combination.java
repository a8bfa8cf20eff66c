package io.treecast.collectives.operation;

import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.Operation.Kind;
import io.treecast.collectives.operation.Outcome.Reason;
import io.treecast.collectives.operation.Value.Doubles;
import io.treecast.collectives.operation.Value.Longs;
import io.treecast.collectives.operation.Value.Nothing;
import io.treecast.collectives.operation.Value.Parts;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The rules by which contributions become one value, and the values that an operation may have.
 * Stateless.
 */
final class Combination {
  private final Operation operation;
  private final int valueBytes;

  /**
   * Creates the rules of an operation.
   *
   * @param valueBytes size of the largest value
   */
  Combination(Operation operation, int valueBytes) {
    this.operation = operation;
    this.valueBytes = valueBytes;
  }

  /**
   * Combines the contributions of two disjoint sets of members.
   *
   * @param whose a member of the first set
   * @param others a member of the second set
   */
  Value of(Value one, NodeId whose, Value other, NodeId others) throws CombiningFailure {
    if (operation.kind() == Kind.GATHER) {
      return gathered(one, other);
    }
    if (one instanceof Longs longs && other instanceof Longs vector) {
      assertSameLength(longs.length(), whose, vector.length(), others);
      return sized(Longs.of(reduced(longs.elements(), vector.elements())));
    }
    if (one instanceof Doubles doubles && other instanceof Doubles vector) {
      assertSameLength(doubles.length(), whose, vector.length(), others);
      return sized(Doubles.of(reduced(doubles.elements(), vector.elements())));
    }
    return one instanceof Nothing ? other : one;
  }

  private Value gathered(Value one, Value other) throws CombiningFailure {
    TreeMap<NodeId, ByteBuffer> all = new TreeMap<>();
    if (one instanceof Parts parts) {
      all.putAll(parts.byMember());
    }
    if (other instanceof Parts parts) {
      all.putAll(parts.byMember());
    }
    return sized(new Parts(all));
  }

  private long[] reduced(long[] into, long[] others) throws CombiningFailure {
    Reduction reduction = Objects.requireNonNull(operation.reduction());
    try {
      for (int i = 0; i < into.length; i++) {
        into[i] = reduction.of(into[i], others[i]);
      }
    } catch (ArithmeticException e) {
      throw new CombiningFailure(
          Reason.OVERFLOW, "a sum does not fit in 64 bits; give doubles, or smaller numbers");
    }
    return into;
  }

  private double[] reduced(double[] into, double[] others) {
    Reduction reduction = Objects.requireNonNull(operation.reduction());
    for (int i = 0; i < into.length; i++) {
      into[i] = reduction.of(into[i], others[i]);
    }
    return into;
  }

  private static void assertSameLength(int one, NodeId whose, int other, NodeId others)
      throws CombiningFailure {
    if (one != other) {
      throw new CombiningFailure(
          Reason.DISAGREEMENT,
          whose
              + " gives a vector of length "
              + one
              + ", and "
              + others
              + " one of length "
              + other
              + "; all vectors must have the same length");
    }
  }

  /** Returns the value, if it is not too large. */
  Value sized(Value value) throws CombiningFailure {
    if (value.cost() > valueBytes) {
      throw new CombiningFailure(
          Reason.TOO_LARGE,
          value.cost()
              + " bytes; limits.collectiveBytes allows "
              + valueBytes
              + " on each agent: raise it on all, or broadcast large payloads");
    }
    return value;
  }

  /** Returns the available parts of these members. */
  static Value partsOf(Value value, SortedSet<NodeId> members) {
    if (!(value instanceof Parts parts)) {
      return Value.NOTHING;
    }
    TreeMap<NodeId, ByteBuffer> some = new TreeMap<>(parts.byMember());
    some.keySet().retainAll(members);
    return some.isEmpty() ? Value.NOTHING : new Parts(some);
  }

  /** Returns whether the value may be the combined contributions of the waiting members. */
  boolean isCombined(Contribution contribution) {
    Value value = contribution.value();
    if (!contribution.complete() || contribution.waiting().isEmpty()) {
      return value instanceof Nothing;
    }
    return switch (operation.kind()) {
      case BARRIER, SCATTER -> value instanceof Nothing;
      case REDUCE -> operation.isReduced(value);
      case GATHER ->
          value instanceof Parts parts && parts.byMember().keySet().equals(contribution.waiting());
    };
  }

  /** Returns whether members other than the centre may get this value. */
  boolean isTold(Value value) {
    return switch (operation.kind()) {
      case BARRIER -> value instanceof Nothing;
      case REDUCE -> operation.hasHub() ? value instanceof Nothing : operation.isReduced(value);
      case GATHER -> operation.hasHub() ? value instanceof Nothing : value instanceof Parts;
      case SCATTER -> value instanceof Nothing || value instanceof Parts;
    };
  }
}
