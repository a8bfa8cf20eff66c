package io.treecast.collectives.operation;

/** Contributions that cannot be combined. */
final class CombiningFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Outcome.Reason reason;

  CombiningFailure(Outcome.Reason reason, String text) {
    super(text, null, false, false);
    this.reason = reason;
  }

  /** Why, of this operation. */
  Outcome.Failed outcome(Operation operation) {
    return new Outcome.Failed(
        reason, "'" + operation.name() + "' (" + operation.described() + "): " + getMessage());
  }
}
