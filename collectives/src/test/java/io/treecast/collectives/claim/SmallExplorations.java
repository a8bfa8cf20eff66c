package io.treecast.collectives.claim;

import io.treecast.collectives.claim.SmallClaims.Budget;
import java.util.List;
import java.util.function.LongFunction;

/** A few explorations that take a second each, for mutants. The parameter has no effect. */
final class SmallExplorations implements LongFunction<String> {
  /** Five times the states of the unchanged source. */
  private static final int MOST_STATES = 2_000_000;

  @Override
  public String apply(long unused) {
    try {
      for (Budget budget :
          List.of(
              new Budget(2, 0, 0, 0, 0, 0),
              new Budget(1, 0, 0, 0, 0, 1),
              new Budget(2, 0, 0, 0, 1, 0))) {
        Exploration explored =
            Exploration.of(new SmallClaims(new int[] {101, 99, 101}, budget), MOST_STATES);
        if (explored.states() == MOST_STATES) {
          return "states without end";
        }
      }
      return "";
    } catch (AssertionError failure) {
      return failure.toString();
    }
  }
}
