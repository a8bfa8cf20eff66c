package io.treecast.collectives.operation;

import io.treecast.collectives.operation.contract.CombiningEffects;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.operation.contract.Outcome.Completed;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of this member's applications, each with exactly one outcome. */
final class Calls {
  private final CombiningEffects effects;

  /** The operation in which each call waits. */
  private final Map<Long, OperationState> waiting = new HashMap<>();

  private long completed;
  private long failed;

  Calls(CombiningEffects effects) {
    this.effects = effects;
  }

  void waits(long call, OperationState state) {
    waiting.put(call, state);
  }

  /** Removes a call without an outcome. Returns its operation; null if it did not wait. */
  @Nullable OperationState withdrawn(long call) {
    return waiting.remove(call);
  }

  /** Ends a call, which may not have waited, with an outcome. */
  void ended(long call, Outcome outcome) {
    waiting.remove(call);
    if (outcome instanceof Completed) {
      completed++;
    } else {
      failed++;
    }
    effects.ended(call, outcome);
  }

  /** Returns how many calls have ended with a result. */
  long completed() {
    return completed;
  }

  /** Returns how many calls have ended without a result. */
  long failed() {
    return failed;
  }
}
