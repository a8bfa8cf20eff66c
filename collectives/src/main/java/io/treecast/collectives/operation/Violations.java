package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningLimits;
import io.treecast.collectives.operation.contract.CombiningMessage.Contribution;
import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/** Explanations for people of messages that a neighbour must not send. Stateless. */
final class Violations {
  private Violations() {}

  /**
   * Returns why a neighbour's message is invalid; null if it is valid.
   *
   * @param branches branches of the committed tree; null before the first
   */
  static @Nullable String of(
      NodeId neighbour,
      Contribution contribution,
      @Nullable Branches branches,
      CombiningLimits limits) {
    Operation operation = contribution.operation();
    Combination combination = new Combination(operation, limits.valueBytes());
    if (!combination.isCombined(contribution)) {
      return "an invalid contribution to " + operation.described();
    } else if (contribution.outcome() instanceof Completed outcome
        && !combination.isAnswer(outcome.value())) {
      return noOutcome(operation);
    } else if (branches != null && !branches.mayComeFrom(neighbour, contribution)) {
      return notBehind(operation);
    }
    return null;
  }

  static String noOutcome(Operation operation) {
    return "an invalid outcome of " + operation.described();
  }

  static String notBehind(Operation operation) {
    return "a contribution to '" + operation.name() + "' that names members not behind it";
  }
}
