package io.treecast.agent.core.data;

import io.treecast.collectives.operation.ElementType;
import io.treecast.collectives.operation.Operation;
import io.treecast.collectives.operation.Operation.Kind;
import io.treecast.collectives.operation.Value;
import io.treecast.ghs.NodeId;
import java.util.Locale;
import java.util.Objects;

/**
 * A local application's part in a collective operation. Immutable.
 *
 * @param token names the call wherever it is repeated
 * @param operation as the application calls it
 * @param contribution its contribution, not to be changed afterwards
 * @param waitNanos how long it waits for the outcome
 */
public record Participation(String token, Operation operation, Value contribution, long waitNanos) {
  /** The longest token, in characters. */
  public static final int MAX_TOKEN_LENGTH = 100;

  /**
   * Returns a checked participation of an application of this member.
   *
   * @throws IllegalArgumentException naming the field, if the token has no allowed length, or the
   *     operation's kind needs another contribution of this member
   */
  public static Participation of(
      NodeId member, String token, Operation operation, Value contribution, long waitNanos) {
    if (token.isEmpty() || token.length() > MAX_TOKEN_LENGTH) {
      throw new IllegalArgumentException(
          "token: it has " + token.length() + " characters; allowed are 1 to " + MAX_TOKEN_LENGTH);
    }
    if (operation.kind() == Kind.SCATTER
        && Objects.equals(member, operation.hub())
        && contribution.equals(Value.NOTHING)) {
      throw new IllegalArgumentException(
          "hub: it is "
              + member
              + " itself, the member of this agent, which gives the parts and receives from nobody");
    }
    if (!operation.takes(member, contribution)) {
      throw new IllegalArgumentException(
          "contribution: "
              + named(contribution)
              + "; of "
              + member
              + " this operation takes "
              + needed(member, operation));
    }
    return new Participation(token, operation, contribution, waitNanos);
  }

  private static String needed(NodeId member, Operation operation) {
    if (operation.isOpening()) {
      return named(Value.longs());
    }
    return switch (operation.kind()) {
      case BARRIER -> "none";
      case REDUCE -> named(Objects.requireNonNull(operation.reduction()).type());
      case GATHER -> "one part";
      case SCATTER ->
          Objects.equals(member, operation.hub())
              ? "the parts of all"
              : "none, since the hub has the parts";
    };
  }

  /** For example {@code longs}; with members, the type of what applications give. */
  private static String named(ElementType type) {
    String name = type.name().toLowerCase(Locale.ROOT);
    return (type.hasMember() ? name.substring(0, name.indexOf('_')) : name) + "s";
  }

  private static String named(Value contribution) {
    if (contribution instanceof Value.Vector vector) {
      return named(vector.type());
    }
    return contribution instanceof Value.Parts parts
        ? parts.byMember().size() + " parts"
        : "none is given";
  }
}
