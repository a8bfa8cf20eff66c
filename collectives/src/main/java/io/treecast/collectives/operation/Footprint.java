package io.treecast.collectives.operation;

import io.treecast.collectives.operation.CombiningMessage.Contribution;
import io.treecast.collectives.operation.Outcome.Completed;
import io.treecast.collectives.operation.Outcome.Failed;
import io.treecast.ghs.NodeId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an operation takes about so many bytes of memory, rather more than less. Names
 * that come from neighbours are not shared: each list has its own. No state.
 */
final class Footprint {
  /** A {@link Standing}, its maps, its operation and the places where it is listed. */
  private static final int OPERATION_BYTES = 1_024;

  /** A call that waits, or a note of a neighbour. */
  private static final int ENTRY_BYTES = 64;

  /** What a neighbour said, without its lists and its value. */
  private static final int CONTRIBUTION_BYTES = 512;

  /** A member's name in a list, without its characters. */
  private static final int MEMBER_BYTES = 160;

  /**
   * Of each character: once in the name, and up to one and a half times in what it is sorted by.
   */
  private static final int MEMBER_CHARACTER_BYTES = 3;

  /** An outcome, without its contributors, its value and its text. */
  private static final int OUTCOME_BYTES = 160;

  private Footprint() {}

  /**
   * An operation of which nothing has come.
   *
   * @param calls how many wait for it here
   * @param noted how many notes of neighbours there are
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

  /** What a neighbour said, of an operation that is counted already. */
  static long of(Contribution contribution) {
    return CONTRIBUTION_BYTES
        + of(contribution.waiting())
        + of(contribution.done())
        + of(contribution.value())
        + of(contribution.outcome());
  }

  /** What a neighbour was told: whose names are those of what was heard. */
  static long ofTold(Contribution told) {
    return CONTRIBUTION_BYTES + (long) ENTRY_BYTES * (told.waiting().size() + told.done().size());
  }

  private static long of(String text) {
    return (long) Character.BYTES * text.length();
  }
}
