package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.Operation;
import io.treecast.collectives.operation.contract.Outcome;

/** Thrown when contributions cannot be combined. */
final class CombiningFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Outcome.Reason reason;

  CombiningFailure(Outcome.Reason reason, String text) {
    super(text, null, false, false);
    this.reason = reason;
  }

  /** Returns the outcome with the reason, for this operation. */
  Outcome.Failed outcome(Operation operation) {
    return new Outcome.Failed(
        reason, "'" + operation.name() + "' (" + operation.described() + "): " + getMessage());
  }
}
