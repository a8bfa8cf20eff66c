package io.treecast.agent.core.data;

import io.treecast.collectives.operation.contract.ElementType;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Operation.Kind;
import io.treecast.collectives.operation.contract.Value;
import io.treecast.ghs.NodeId;
import java.util.Locale;
import java.util.Objects;

/**
 * A local application's part in a collective operation. Immutable.
 *
 * @param token the call's identity, equal in all its repetitions
 * @param operation the operation
 * @param contribution its contribution, which must not change afterwards
 * @param waitNanos the maximum wait for the outcome
 */
public record Participation(String token, Operation operation, Value contribution, long waitNanos) {
  /** The longest token, in characters. */
  public static final int MAX_TOKEN_LENGTH = 100;

  /**
   * Returns a checked participation of an application of this member.
   *
   * @throws IllegalArgumentException if the length of the token is not allowed, or the operation
   *     needs another contribution from this member; the message names the field
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
          "hub: this agent's member " + member + " is the hub, so it must contribute the parts");
    }
    if (!operation.takes(member, contribution)) {
      throw new IllegalArgumentException(
          "contribution: %s; expected from %s: %s"
              .formatted(named(contribution), member, needed(member, operation)));
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

  /**
   * Returns the plural name of a type, for example {@code longs}. A type with members has the name
   * of the contributed elements.
   */
  private static String named(ElementType type) {
    String name = type.name().toLowerCase(Locale.ROOT);
    return (type.hasMember() ? name.substring(0, name.indexOf('_')) : name) + "s";
  }

  private static String named(Value contribution) {
    if (contribution instanceof Value.Vector vector) {
      return named(vector.type());
    }
    if (contribution instanceof Value.Parts parts) {
      int count = parts.byMember().size();
      return count + (count == 1 ? " part" : " parts");
    }
    return "none";
  }
}
