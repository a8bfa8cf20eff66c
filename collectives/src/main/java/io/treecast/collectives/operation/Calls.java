package io.treecast.collectives.operation;

import io.treecast.collectives.operation.Outcome.Completed;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls of this member's applications, each told once how it ended. Combining's thread. */
final class Calls {
  private final CombiningEffects effects;

  /** In which operation each waits. */
  private final Map<Long, Standing> waiting = new HashMap<>();

  private long completed;
  private long failed;

  Calls(CombiningEffects effects) {
    this.effects = effects;
  }

  void waits(long call, Standing standing) {
    waiting.put(call, standing);
  }

  /** It waits no more, and is told nothing. Gives the operation; null if it did not wait. */
  @Nullable Standing withdrawn(long call) {
    return waiting.remove(call);
  }

  /** It waits no more, or has never waited, and is told this. */
  void ended(long call, Outcome outcome) {
    waiting.remove(call);
    if (outcome instanceof Completed) {
      completed++;
    } else {
      failed++;
    }
    effects.ended(call, outcome);
  }

  /** How many have ended with a result. */
  long completed() {
    return completed;
  }

  /** How many have ended without. */
  long failed() {
    return failed;
  }
}
