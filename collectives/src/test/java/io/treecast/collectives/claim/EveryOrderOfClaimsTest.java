package io.treecast.collectives.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.claim.SmallClaims.Budget;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three members, two of which want one claim, and every order in which messages arrive or are lost,
 * time passes, members restart, and holders renew and release, without sampling.
 *
 * <p>The numbers of states change only if the protocol does; adapt them knowingly.
 */
@Tag("seeded")
class EveryOrderOfClaimsTest {
  /** Exploration ends there; nothing that the build explores is so large. */
  private static final int MOST_STATES = 50_000_000;

  @ParameterizedTest
  @CsvSource({
    // per cent of time at 0, 1, 2; steps, crashes, losses, doubles, renewals, releases; states
    "100, 100, 100, 2, 0, 0, 0, 0, 0, 1",
  })
  void no_order_lets_two_believe_or_a_fence_fall(
      int zero,
      int one,
      int two,
      int steps,
      int crashes,
      int losses,
      int doubles,
      int renewals,
      int releases,
      long states) {
    Exploration explored =
        Exploration.of(
            new SmallClaims(
                new int[] {zero, one, two},
                new Budget(steps, crashes, losses, doubles, renewals, releases)),
            MOST_STATES);
    assertThat(explored.states()).isEqualTo(states);
  }
}
