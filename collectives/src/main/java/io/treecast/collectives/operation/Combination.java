package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Outcome.Reason;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.collectives.operation.contract.Value.Nothing;
import io.treecast.collectives.operation.contract.Value.Parts;
import io.treecast.collectives.operation.contract.Value.Vector;
import io.treecast.ghs.NodeId;
import java.nio.ByteBuffer;
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
   * @param member a member of the first set
   * @param otherMember a member of the second set
   */
  Value of(Value one, NodeId member, Value other, NodeId otherMember) throws CombiningFailure {
    if (operation.kind() == Kind.GATHER && !operation.isOpening()) {
      return gathered(one, other);
    }
    if (one instanceof Vector vector && other instanceof Vector more) {
      assertSameLength(vector.length(), member, more.length(), otherMember);
      return sized(reduced(vector, more));
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

  private Vector reduced(Vector one, Vector other) throws CombiningFailure {
    try {
      return Vector.of(one.type(), operation.combination().of(one.packed(), other.packed()));
    } catch (ArithmeticException e) {
      throw new CombiningFailure(
          Reason.OVERFLOW,
          "a "
              + operation.combination().result()
              + " does not fit in "
              + Byte.SIZE * one.type().elementBytes()
              + " bits; give doubles, or smaller numbers");
    }
  }

  private static void assertSameLength(int one, NodeId member, int other, NodeId otherMember)
      throws CombiningFailure {
    if (one != other) {
      throw new CombiningFailure(
          Reason.DISAGREEMENT,
          ("%s gives a vector of length %s, and %s one of length %s; all vectors must have "
                  + "the same length")
              .formatted(member, one, otherMember, other));
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
    if (operation.isOpening()) {
      return operation.isReduced(value);
    }
    return switch (operation.kind()) {
      case BARRIER, SCATTER -> value instanceof Nothing;
      case REDUCE -> operation.isReduced(value);
      case GATHER ->
          value instanceof Parts parts && parts.byMember().keySet().equals(contribution.waiting());
    };
  }

  /** Returns whether members other than the centre may get this value. */
  boolean isAnswer(Value value) {
    if (operation.isOpening()) {
      return operation.isReduced(value);
    }
    return switch (operation.kind()) {
      case BARRIER -> value instanceof Nothing;
      case REDUCE -> operation.hasHub() ? value instanceof Nothing : operation.isReduced(value);
      case GATHER -> operation.hasHub() ? value instanceof Nothing : value instanceof Parts;
      case SCATTER -> value instanceof Nothing || value instanceof Parts;
    };
  }
}
