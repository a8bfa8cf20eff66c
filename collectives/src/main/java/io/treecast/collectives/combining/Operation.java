package io.treecast.collectives.combining;

import io.treecast.collectives.Topic;
import io.treecast.collectives.combining.Value.Doubles;
import io.treecast.collectives.combining.Value.Longs;
import io.treecast.collectives.combining.Value.Nothing;
import io.treecast.collectives.combining.Value.Parts;
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
 * One collective operation: what all who take part must say alike. Immutable.
 *
 * @param name unique among all operations, the finished ones included: each round has its own
 * @param kind what it does
 * @param reduction how a {@link Kind#REDUCE} combines; null for the others
 * @param hub the member that alone gets the result of a reduce or gather, or that has the parts of
 *     a scatter; null if all get it
 * @param participants who takes part, the hub among them; empty if all members of the committed
 *     tree do
 */
public record Operation(
    String name,
    Kind kind,
    @Nullable Reduction reduction,
    @Nullable NodeId hub,
    SortedSet<NodeId> participants) {

  /** The kinds of operations. */
  public enum Kind {
    /** Nobody goes on before all have come. */
    BARRIER,
    /** Vectors of numbers, element by element. */
    REDUCE,
    /** The payload of each. */
    GATHER,
    /** A payload for each, from the hub. */
    SCATTER
  }

  /** The most of them in a text for a person. */
  private static final int MAX_PARTICIPANTS_NAMED = 5;

  /** The most participants that may be named. */
  public static final int MAX_PARTICIPANTS = 10_000;

  /**
   * Copies the participants.
   *
   * @throws IllegalArgumentException if the name is empty or no {@linkplain Topic#checked name}, a
   *     reduce has no reduction or another has, a scatter has no hub or a barrier has one, there
   *     are too many participants, or the hub is not among them
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
      throw new IllegalArgumentException("a SCATTER needs the member that has the parts");
    }
    if (kind == Kind.BARRIER && hub != null) {
      throw new IllegalArgumentException("a BARRIER is alike for all: it has no " + hub);
    }
    if (participants.size() > MAX_PARTICIPANTS) {
      throw new IllegalArgumentException(
          participants.size() + " participants; allowed are " + MAX_PARTICIPANTS);
    }
    if (hub != null && !participants.isEmpty() && !participants.contains(hub)) {
      throw new IllegalArgumentException(hub + " is not among the participants");
    }
    participants = Collections.unmodifiableSortedSet(new TreeSet<>(participants));
  }

  /** Whether this member takes part if it is in the tree. */
  boolean isFor(NodeId member) {
    return participants.isEmpty() || participants.contains(member);
  }

  /** Whether a member may contribute this. */
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

  /** Whether this may be contributed to a reduce, or come of it. */
  boolean isReduced(Value value) {
    return Objects.requireNonNull(reduction).isOfLongs()
        ? value instanceof Longs
        : value instanceof Doubles;
  }

  /** Whether only the hub has what comes of it, or what it begins with. */
  boolean hasHub() {
    return hub != null;
  }

  /** For a person: for example {@code reduce by sum of whole numbers to n3}. */
  String described() {
    String what = kind.toString().toLowerCase(Locale.ROOT);
    if (reduction != null) {
      what += " by " + reduction.described();
    }
    if (hub != null) {
      what += (kind == Kind.SCATTER ? " from " : " to ") + hub;
    }
    return participants.isEmpty()
        ? what
        : what + " among " + named(participants, MAX_PARTICIPANTS_NAMED);
  }

  /** For a person: the first of them, and how many there are besides. */
  static String named(SortedSet<NodeId> members, int most) {
    String names =
        members.stream().limit(most).map(NodeId::toString).collect(Collectors.joining(", "));
    return members.size() <= most ? names : names + " and " + (members.size() - most) + " more";
  }
}
