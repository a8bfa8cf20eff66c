package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.collectives.operation.contract.Outcome.Failed;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Estimates of the memory of operations, in bytes, rather too high than too low. Names from
 * neighbours are not shared: each list has its own. Stateless.
 */
final class Footprint {
  /** A {@link OperationState}, its maps, its operation and its entries in lists. */
  private static final int OPERATION_BYTES = 1_024;

  /** A waiting call, or a note of a neighbour. */
  private static final int ENTRY_BYTES = 64;

  /** A contribution, without its lists and its value. */
  private static final int CONTRIBUTION_BYTES = 512;

  /** A member's name in a list, without its characters. */
  private static final int MEMBER_BYTES = 160;

  /**
   * The bytes of a character: it is once in the name, and up to one and a half times in the sort
   * key.
   */
  private static final int MEMBER_CHARACTER_BYTES = 3;

  /** An outcome, without its contributors, its value and its text. */
  private static final int OUTCOME_BYTES = 160;

  private Footprint() {}

  /**
   * Returns the size of an operation without contributions.
   *
   * @param calls number of calls that wait for it here
   * @param noted number of notes of neighbours
   */
  static long ofOperation(Operation operation, int calls, int noted) {
    return OPERATION_BYTES
        + of(operation.name())
        + of(operation.participants())
        + (long) ENTRY_BYTES * (calls + noted);
  }

  static long of(Collection<NodeId> members) {
    long bytes = (long) MEMBER_BYTES * members.size();
    for (NodeId member : members) {
      bytes += (long) MEMBER_CHARACTER_BYTES * member.toString().length();
    }
    return bytes;
  }

  static long of(Value value) {
    return value instanceof Value.Parts parts
        ? value.cost() + of(parts.byMember().keySet())
        : value.cost();
  }

  static long of(@Nullable Outcome outcome) {
    if (outcome instanceof Completed completed) {
      return OUTCOME_BYTES
          + of(completed.contributors())
          + (completed.choice() == null ? 0 : of(completed.choice().members()))
          + of(completed.value());
    }
    return outcome instanceof Failed failed ? OUTCOME_BYTES + of(failed.text()) : 0;
  }

  /** Returns the size of a neighbour's contribution to an operation that is counted already. */
  static long of(Contribution contribution) {
    return CONTRIBUTION_BYTES
        + of(contribution.waiting())
        + of(contribution.done())
        + of(contribution.value())
        + of(contribution.outcome());
  }

  /** Returns the size of a sent contribution, which shares the names of received ones. */
  static long ofSent(Contribution lastSent) {
    return CONTRIBUTION_BYTES
        + (long) ENTRY_BYTES * (lastSent.waiting().size() + lastSent.done().size());
  }

  private static long of(String text) {
    return (long) Character.BYTES * text.length();
  }
}
