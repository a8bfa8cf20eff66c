package io.treecast.collectives.combining;

import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** How an operation has ended. Immutable. */
public sealed interface Outcome {

  /**
   * All who take part have come.
   *
   * @param treeVersion of the committed tree along which it was combined
   * @param contributors whose contributions it contains, each once
   * @param value of a barrier, and where another member is the hub of a reduce or gather, {@link
   *     Value#NOTHING}; of a scatter, the parts for this member and others, if it has any
   */
  record Completed(long treeVersion, SortedSet<NodeId> contributors, Value value)
      implements Outcome {
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

    /** Whether both were combined from the same contributions on the same tree. */
    boolean isSameAs(Completed other) {
      return treeVersion == other.treeVersion && contributors.equals(other.contributors);
    }

    Completed withValue(Value other) {
      return new Completed(treeVersion, contributors, other);
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
