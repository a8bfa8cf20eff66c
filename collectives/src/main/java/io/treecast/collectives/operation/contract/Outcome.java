package io.treecast.collectives.operation.contract;

import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The outcome of an operation. Immutable. */
public sealed interface Outcome {

  /**
   * The outcome of a complete operation: all participants have arrived.
   *
   * @param treeVersion version of the committed tree along which it was combined
   * @param contributors the members whose contributions it contains, each once
   * @param value {@link Value#NOTHING} for a barrier, and where another member is the hub of a
   *     reduce or gather; of a scatter, the parts for this member and others, if it has any
   * @param choice the members for which the result was chosen among several on a later tree; null
   *     for a result that its contributors got on the tree on which it was decided, and for
   *     applications
   */
  record Completed(
      long treeVersion, SortedSet<NodeId> contributors, Value value, @Nullable Choice choice)
      implements Outcome {
    /** Creates a result as it was decided. */
    public Completed(long treeVersion, SortedSet<NodeId> contributors, Value value) {
      this(treeVersion, contributors, value, null);
    }

    /**
     * Copies the contributors.
     *
     * @throws IllegalArgumentException if the version is less than 1
     */
    public Completed {
      if (treeVersion < 1) {
        throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
      }
      contributors = Collections.unmodifiableSortedSet(new TreeSet<>(contributors));
    }

    /**
     * Returns whether both were combined from the same contributions on the same tree, and chosen
     * for the same members.
     */
    public boolean isSameAs(Completed other) {
      return treeVersion == other.treeVersion
          && contributors.equals(other.contributors)
          && Objects.equals(choice, other.choice);
    }

    /**
     * Returns the version of the latest tree on which this became a member's result, as far as
     * recorded: that of the choice, or that on which the member contributed. 0 if it was for others
     * only.
     */
    public long versionFor(NodeId member) {
      if (choice != null && choice.members().contains(member)) {
        return choice.treeVersion();
      }
      return contributors.contains(member) ? treeVersion : 0;
    }

    public Completed withValue(Value other) {
      return new Completed(treeVersion, contributors, other, choice);
    }

    public Completed withChoice(@Nullable Choice other) {
      return new Completed(treeVersion, contributors, value, other);
    }
  }

  /**
   * The members for which a result was chosen, on a tree on which all members had reported the
   * results that they know.
   *
   * @param treeVersion version of that tree
   * @param members those members that are among the contributors, or else those that are left out
   */
  record Choice(long treeVersion, SortedSet<NodeId> members) {
    /**
     * Copies the members.
     *
     * @throws IllegalArgumentException if the version is less than 1
     */
    public Choice {
      if (treeVersion < 1) {
        throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
      }
      members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
  }

  /**
   * The outcome of an operation without a result here.
   *
   * @param reason for programs
   * @param text explanation for people: what failed, where, what to do next; at most {@link
   *     #MAX_TEXT} characters
   */
  record Failed(Reason reason, String text) implements Outcome {
    /** The longest text. */
    public static final int MAX_TEXT = 1_000;

    /** Truncates a text that is too long. */
    public Failed {
      text = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
    }
  }

  /** The reason why there is no result. */
  enum Reason {
    /**
     * Not all members had arrived at the deadline of this member's call. Only that call ends with
     * this reason.
     */
    MEMBERS_MISSING,
    /** Members use one name for different operations, or have vectors of different lengths. */
    DISAGREEMENT,
    /** A sum does not fit in 64 bits. */
    OVERFLOW,
    /** A value exceeds {@code limits.collectiveBytes}. */
    TOO_LARGE,
    /** An agent has reached its limit of operations, or of their memory. */
    NO_ROOM,
    /**
     * This member has taken part in an operation of that name before. Only that call ends with this
     * reason.
     */
    NAME_USED,
    /** This member is not among the participants. Only that call ends with this reason. */
    NOT_A_PARTICIPANT,
    /** The operation was complete, and the holder of the result has lost it since. */
    RESULT_LOST,
    /** Other members have a result that does not contain this member's contribution. */
    LEFT_OUT,
    /**
     * The members of the group have changed, and a participant that has not called knows the later
     * view. No member has a result.
     */
    VIEW_CHANGED
  }
}
