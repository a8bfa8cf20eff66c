package io.treecast.collectives.operation;

import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.operation.Value.Doubles;
import io.treecast.collectives.operation.Value.Longs;
import io.treecast.collectives.operation.Value.Nothing;
import io.treecast.collectives.operation.Value.Parts;
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
 * @param name unique among all operations, the finished ones included: each round has its own
 * @param kind the kind of operation
 * @param reduction how a {@link Kind#REDUCE} combines; null for the others
 * @param hub the only member that gets the result of a reduce or gather, or the member with the
 *     parts of a scatter; null if all get the result
 * @param participants the members that take part, including the hub; empty if all members of the
 *     committed tree do
 * @param minimum the smallest number of contributing members with which the operation can be
 *     complete
 */
public record Operation(
    String name,
    Kind kind,
    @Nullable Reduction reduction,
    @Nullable NodeId hub,
    SortedSet<NodeId> participants,
    int minimum) {

  /** The kinds of operations. */
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
   *     participants
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
    this(name, kind, reduction, hub, participants, 1);
  }

  /** Returns this operation with a minimum of members. */
  public Operation withMinimum(int members) {
    return new Operation(name, kind, reduction, hub, participants, members);
  }

  /** Returns whether this member takes part if it is in the tree. */
  boolean isFor(NodeId member) {
    return participants.isEmpty() || participants.contains(member);
  }

  /** Returns whether a member may contribute the value. */
  public boolean takes(NodeId member, Value contribution) {
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

  /** Returns whether the value may be contributed to a reduce, or result from it. */
  boolean isReduced(Value value) {
    return Objects.requireNonNull(reduction).isOfLongs()
        ? value instanceof Longs
        : value instanceof Doubles;
  }

  /**
   * Returns whether parts of a network may reach different results, each for its own members: all
   * members of a tree take part, and no hub keeps a single result.
   */
  boolean mayHaveSeveralResults() {
    return participants.isEmpty() && hub == null;
  }

  /** Returns whether only the hub has the result, or the input. */
  boolean hasHub() {
    return hub != null;
  }

  /** Returns a description for people, for example {@code reduce by sum of whole numbers to n3}. */
  String described() {
    String text = kind.toString().toLowerCase(Locale.ROOT);
    if (reduction != null) {
      text += " by " + reduction.described();
    }
    if (hub != null) {
      text += (kind == Kind.SCATTER ? " from " : " to ") + hub;
    }
    if (!participants.isEmpty()) {
      text += " among " + named(participants, MAX_PARTICIPANTS_NAMED);
    }
    return minimum == 1 ? text : text + " of at least " + minimum + " members";
  }

  /** Returns a list for people: the first members, and the number of the others. */
  static String named(SortedSet<NodeId> members, int most) {
    String names =
        members.stream().limit(most).map(NodeId::toString).collect(Collectors.joining(", "));
    return members.size() <= most ? names : names + " and " + (members.size() - most) + " more";
  }
}
