package io.treecast.collectives.operation.contract;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.Value.Nothing;
import io.treecast.collectives.operation.contract.Value.Parts;
import io.treecast.collectives.operation.contract.Value.Vector;
import io.treecast.ghs.NodeId;
import java.util.Collections;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One collective operation: the parameters that all participants must state identically. Immutable.
 *
 * @param name unique among all operations, the finished ones included: each round has its own. A
 *     segment has the name of its opening, a tilde, the attempt, a slash, and its number
 * @param kind the kind of operation
 * @param reduction how a {@link Kind#REDUCE} combines; null for the others
 * @param hub the only member that gets the result of a reduce or gather, or the member with the
 *     parts of a scatter; null if all get the result
 * @param participants the members that take part, including the hub; empty if all members of the
 *     committed tree do
 * @param minimum the smallest number of contributing members with which the operation can be
 *     complete
 * @param step the step of a large operation; null for an operation of one step
 * @param view the view of a group whose members the participants are; null for others. The
 *     operation is complete without participants that are not in the committed tree, and fails if a
 *     participant knows a later view and has not called it
 */
public record Operation(
    String name,
    Kind kind,
    @Nullable Reduction reduction,
    @Nullable NodeId hub,
    SortedSet<NodeId> participants,
    int minimum,
    @Nullable Step step,
    GroupView.@Nullable Id view) {

  /**
   * A step of an operation on values that exceed one message. The first step, the <em>opening</em>,
   * determines the participants, and reduces the numbers of members and agents to the minimum of
   * each: the window in bytes, and then numbers of the applications. Each of the other steps
   * combines a segment, among the contributors of the opening.
   *
   * @param elements the number of elements of the whole vectors; 0 if members may differ
   * @param number 0 for the opening; the segments have 1 and up
   * @param segments the number of segments; 0 of an opening
   * @param window of a segment, the most segments under way at a member: a member that contributes
   *     to segment n has the result of segment n - window
   * @param mayLoseMembers of a segment, whether it is complete without those participants that are
   *     not in the committed tree
   * @param chainVersion of a segment, the version of the tree on which it goes along the chain of
   *     members, and not along the tree; 0 for none
   */
  public record Step(
      long elements,
      long number,
      long segments,
      int window,
      boolean mayLoseMembers,
      long chainVersion) {
    /** The most segments under way. */
    public static final int MAX_WINDOW = 64;

    /**
     * Creates a segment that goes along the tree.
     *
     * @throws IllegalArgumentException as the other constructor
     */
    public Step(long elements, long number, long segments, int window, boolean mayLoseMembers) {
      this(elements, number, segments, window, mayLoseMembers, 0);
    }

    /** Returns the opening of an operation on vectors of this length. */
    public static Step opening(long elements) {
      return new Step(elements, 0, 0, 0, false);
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is negative, the number exceeds that of the segments,
     *     or a segment has no window, or one above {@link #MAX_WINDOW}
     */
    public Step {
      if (elements < 0 || number < 0 || number > segments || (number == 0 && segments != 0)) {
        throw new IllegalArgumentException(
            "segment " + number + " of " + segments + ", of " + elements + " elements");
      }
      if (chainVersion < 0 || (number == 0 && chainVersion != 0)) {
        throw new IllegalArgumentException("tree version " + chainVersion + " of a chain");
      }
      if (number == 0 ? window != 0 || mayLoseMembers : window < 1 || window > MAX_WINDOW) {
        throw new IllegalArgumentException(
            "window %s of step %s; allowed are 1 to %s of a segment, and none of the opening"
                .formatted(window, number, MAX_WINDOW));
      }
    }
  }

  public enum Kind {
    /** No member continues before all have arrived. */
    BARRIER,
    /** Vectors of numbers, element by element. */
    REDUCE,
    /** The payload of each member. */
    GATHER,
    /** A payload for each member, from the hub. */
    SCATTER
  }

  /** The largest number of participants named in a text. */
  private static final int MAX_PARTICIPANTS_NAMED = 5;

  /** The largest number of participants that may be named. */
  public static final int MAX_PARTICIPANTS = 10_000;

  /**
   * Copies the participants.
   *
   * @throws IllegalArgumentException if the name is empty or not an {@linkplain Topic#checked
   *     allowed name}, a reduce has no reduction or another kind has one, a scatter has no hub or a
   *     barrier has one, there are too many participants, the hub is not among them, or the minimum
   *     is less than 1, more than {@link #MAX_PARTICIPANTS}, or more than the number of named
   *     participants, or a segment, or an operation without participants, has a view
   */
  public Operation {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the operation has no name");
    }
    Topic.checked(name);
    if ((kind == Kind.REDUCE) != (reduction != null)) {
      throw new IllegalArgumentException(
          kind == Kind.REDUCE ? "a REDUCE needs a reduction" : "a " + kind + " has no reduction");
    }
    if (kind == Kind.SCATTER && hub == null) {
      throw new IllegalArgumentException("a SCATTER needs a hub, the member that has the parts");
    }
    if (kind == Kind.BARRIER && hub != null) {
      throw new IllegalArgumentException("a BARRIER has no hub, but one is given: " + hub);
    }
    if (participants.size() > MAX_PARTICIPANTS) {
      throw new IllegalArgumentException(
          participants.size() + " participants; allowed are " + MAX_PARTICIPANTS);
    }
    if (hub != null && !participants.isEmpty() && !participants.contains(hub)) {
      throw new IllegalArgumentException(hub + " is not among the participants");
    }
    int most = participants.isEmpty() ? MAX_PARTICIPANTS : participants.size();
    if (minimum < 1 || minimum > most) {
      throw new IllegalArgumentException(
          "the minimum of members is " + minimum + "; allowed are 1 to " + most);
    }
    if (step != null
        && step.number() > 0
        && (participants.isEmpty() || !name.matches("(?s).+~[^~]*/" + step.number()))) {
      throw new IllegalArgumentException(
          "segment %s has no participants, or a name that does not end with ~ATTEMPT/%s"
              .formatted(step.number(), step.number()));
    }
    if (view != null && (participants.isEmpty() || (step != null && step.number() > 0))) {
      throw new IllegalArgumentException("a segment, or an operation without names, has a view");
    }
    participants = Collections.unmodifiableSortedSet(new TreeSet<>(participants));
  }

  /**
   * Creates an operation without a minimum of members.
   *
   * @throws IllegalArgumentException as the other constructor
   */
  public Operation(
      String name,
      Kind kind,
      @Nullable Reduction reduction,
      @Nullable NodeId hub,
      SortedSet<NodeId> participants) {
    this(name, kind, reduction, hub, participants, 1, null);
  }

  /**
   * Creates an operation that is not of a group.
   *
   * @throws IllegalArgumentException as the other constructor
   */
  public Operation(
      String name,
      Kind kind,
      @Nullable Reduction reduction,
      @Nullable NodeId hub,
      SortedSet<NodeId> participants,
      int minimum,
      @Nullable Step step) {
    this(name, kind, reduction, hub, participants, minimum, step, null);
  }

  /** Returns this operation with a minimum of members. */
  public Operation withMinimum(int members) {
    return new Operation(name, kind, reduction, hub, participants, members, step, view);
  }

  /** Returns this operation of the members of a view. */
  public Operation of(GroupView of) {
    return new Operation(name, kind, reduction, hub, of.members(), minimum, step, of.id());
  }

  /** Returns this operation, whose participants are the members of a view. */
  public Operation withView(GroupView.Id id) {
    return new Operation(name, kind, reduction, hub, participants, minimum, step, id);
  }

  /** Returns this operation as a step of a large one. */
  public Operation withStep(Step other) {
    return new Operation(name, kind, reduction, hub, participants, minimum, other, view);
  }

  /** Returns whether it only opens a large operation. */
  public boolean isOpening() {
    return step != null && step.number() == 0;
  }

  /** Returns whether it is complete without participants that are not in the committed tree. */
  public boolean mayLoseMembers() {
    return view != null || (step != null && step.mayLoseMembers());
  }

  /** Returns the version of the tree along whose chain it goes; 0 if along the tree itself. */
  public long chainVersion() {
    return step == null ? 0 : step.chainVersion();
  }

  /** Returns how vectors are combined, of the operation itself or of its opening. */
  public Reduction combination() {
    return isOpening() ? Reduction.MIN_OF_LONGS : Objects.requireNonNull(reduction);
  }

  /** Returns the name for applications: that of the large operation for a segment. */
  public String nameOfWhole() {
    boolean isSegment = step != null && step.number() > 0;
    return isSegment ? name.substring(0, name.lastIndexOf('~')) : name;
  }

  /** Returns whether this is the last segment of a large operation. */
  public boolean isLastSegment() {
    return step != null && step.number() > 0 && step.number() == step.segments();
  }

  /**
   * Returns the name of the segment whose result every contributor of this one has; null if there
   * is none.
   */
  public @Nullable String nameOfSettled() {
    if (step == null || step.number() <= step.window() || isOpening()) {
      return null;
    }
    String number = String.valueOf(step.number());
    return name.substring(0, name.length() - number.length()) + (step.number() - step.window());
  }

  /** Returns whether this member takes part if it is in the tree. */
  public boolean isFor(NodeId member) {
    return participants.isEmpty() || participants.contains(member);
  }

  /** Returns whether a member may contribute the value. */
  public boolean takes(NodeId member, Value contribution) {
    if (isOpening()) {
      return isReduced(contribution);
    }
    return switch (kind) {
      case BARRIER -> contribution instanceof Nothing;
      case REDUCE -> isReduced(contribution);
      case GATHER ->
          contribution instanceof Parts parts && parts.byMember().keySet().equals(Set.of(member));
      case SCATTER ->
          member.equals(Objects.requireNonNull(hub))
              ? contribution instanceof Parts
              : contribution instanceof Nothing;
    };
  }

  /** Returns whether the value may be contributed to a reduce or an opening, or result from it. */
  public boolean isReduced(Value value) {
    return value instanceof Vector vector && vector.type() == combination().type();
  }

  /**
   * Returns whether parts of a network may reach different results, each for its own members: the
   * participants in one tree suffice, and no hub keeps a single result.
   */
  public boolean mayHaveSeveralResults() {
    return (participants.isEmpty() || mayLoseMembers()) && !hasHub();
  }

  /** Returns whether only the hub has the result, or the input. False for an opening. */
  public boolean hasHub() {
    return hub != null && !isOpening();
  }

  /** Returns a description for people, for example {@code reduce by sum of whole numbers to n3}. */
  public String described() {
    String text = kind.toString().toLowerCase(Locale.ROOT);
    if (reduction != null) {
      text += " by " + reduction.described();
    }
    if (hub != null) {
      text += (kind == Kind.SCATTER ? " from " : " to ") + hub;
    }
    if (step != null) {
      text +=
          step.number() == 0
              ? ", a large vector"
              : ", segment " + step.number() + " of " + step.segments();
      text += step.elements() == 0 ? "" : " of " + step.elements() + " elements";
    }
    if (!participants.isEmpty()) {
      text += " among " + named(participants, MAX_PARTICIPANTS_NAMED);
    }
    return minimum == 1 ? text : text + " of at least " + minimum + " members";
  }

  /** Returns a list for people: the first members, and the number of the others. */
  public static String named(SortedSet<NodeId> members, int most) {
    String names =
        members.stream().limit(most).map(NodeId::toString).collect(Collectors.joining(", "));
    return members.size() <= most ? names : names + " and " + (members.size() - most) + " more";
  }
}
