package io.treecast.collectives.operation;

import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How an operation has ended. Immutable. */
public sealed interface Outcome {

  /**
   * All who take part have come.
   *
   * @param treeVersion of the committed tree along which it was combined
   * @param contributors whose contributions it contains, each once
   * @param value of a barrier, and where another member is the hub of a reduce or gather, {@link
   *     Value#NOTHING}; of a scatter, the parts for this member and others, if it has any
   * @param choice whose result this became when it was chosen among several on a later tree; null
   *     for a result that its contributors got on the tree on which it was decided, and for
   *     applications
   */
  record Completed(
      long treeVersion, SortedSet<NodeId> contributors, Value value, @Nullable Choice choice)
      implements Outcome {
    /** A result as it was decided. */
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
     * Whether both were combined from the same contributions on the same tree, and chosen for the
     * same members.
     */
    boolean isSameAs(Completed other) {
      return treeVersion == other.treeVersion
          && contributors.equals(other.contributors)
          && Objects.equals(choice, other.choice);
    }

    /**
     * The version of the latest tree on which this was to be a member's result, as far as it says
     * so: that of the choice, or that on which the member contributed. 0 if it was for others only.
     */
    long versionFor(NodeId member) {
      if (choice != null && choice.members().contains(member)) {
        return choice.treeVersion();
      }
      return contributors.contains(member) ? treeVersion : 0;
    }

    Completed withValue(Value other) {
      return new Completed(treeVersion, contributors, other, choice);
    }

    Completed withChoice(@Nullable Choice other) {
      return new Completed(treeVersion, contributors, value, other);
    }
  }

  /**
   * Which members a result was chosen for, on a tree on which all members had said which results
   * they know.
   *
   * @param treeVersion of that tree
   * @param members those that are among the contributors, or else those that are left out
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
   * It did not come to a result here.
   *
   * @param reason for programs
   * @param text for a person: what failed, where, what to do next; at most {@link #MAX_TEXT}
   *     characters
   */
  record Failed(Reason reason, String text) implements Outcome {
    /** The longest text. */
    public static final int MAX_TEXT = 1_000;

    /** Cuts a text that is too long. */
    public Failed {
      text = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
    }
  }

  /** Why there is no result. */
  enum Reason {
    /** Not all had come when the time of this member's call was over. Told to that call alone. */
    MEMBERS_MISSING,
    /**
     * Members call it by the same name and mean different things, or have vectors of two lengths.
     */
    DISAGREEMENT,
    /** A sum does not fit in 64 bits. */
    OVERFLOW,
    /** More than {@code limits.collectiveBytes}. */
    TOO_LARGE,
    /** An agent has as many operations, or as much of them, as it may. */
    NO_ROOM,
    /** This member has taken part in an operation of that name. Told to that call alone. */
    NAME_USED,
    /** This member is not among the participants. Told to that call alone. */
    NOT_A_PARTICIPANT,
    /** It was complete, and who had the result has lost it since. */
    RESULT_LOST,
    /** Others have a result, in which this member's contribution is not. */
    LEFT_OUT
  }
}
