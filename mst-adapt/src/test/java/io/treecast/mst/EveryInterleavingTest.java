package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.SmallWorld.Budget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three nodes, and every order in which messages, failures, recoveries and a change of weight can
 * happen, without sampling. A link that goes down loses every possible suffix of the messages in
 * flight.
 *
 * <p>The numbers of states change only if the protocol does; adapt them knowingly. The profile
 * nightly also explores larger budgets.
 */
@Tag("seeded")
class EveryInterleavingTest {

  /**
   * The columns are the weight of each link, 0 for a link that is down at first, the budgets, and
   * the number of states. Equal weights are ties.
   */
  @ParameterizedTest
  @CsvSource({
    // 0-1, 0-2, 1-2; downs, crashes, ups or restarts, changes of weight; states
    "5, 5, 5, 0, 0, 0, 0, 26",
    "5, 5, 0, 0, 0, 0, 0, 26",
    "5, 5, 0, 1, 0, 0, 1, 20590",
    "5, 0, 0, 0, 0, 2, 0, 6472",
    "2, 5, 5, 1, 1, 0, 0, 28003",
    "5, 5, 5, 1, 0, 1, 0, 52110",
  })
  void every_interleaving_ends_with_the_minimum_spanning_forest_committed(
      long w01, long w02, long w12, int downs, int crashes, int ups, int weights, long states) {
    assertThat(explore(w01, w02, w12, downs, crashes, ups, weights).states()).isEqualTo(states);
  }

  /** The build explores each of these failures with other events. */
  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"5, 5, 5, 0, 1, 0, 1, 34166", "5, 5, 5, 2, 0, 0, 0, 60689"})
  void every_interleaving_of_two_lost_links_and_of_a_crash_and_a_change_of_weight(
      long w01, long w02, long w12, int downs, int crashes, int ups, int weights, long states) {
    assertThat(explore(w01, w02, w12, downs, crashes, ups, weights).states()).isEqualTo(states);
  }

  /** Takes ten seconds; the build explores it in a chain. */
  @Tag("nightly")
  @Test
  void every_interleaving_of_a_lost_link_and_a_change_of_weight_in_a_triangle() {
    assertThat(explore(5, 5, 5, 1, 0, 0, 1).states()).isEqualTo(119_581);
  }

  /** Takes ten seconds; the build explores a link that comes back in a triangle. */
  @Tag("nightly")
  @Test
  void every_interleaving_of_a_link_of_a_chain_that_goes_and_comes_back() {
    assertThat(explore(5, 5, 0, 1, 0, 1, 0).states()).isEqualTo(93_238);
  }

  /** Takes minutes. */
  @Tag("nightly")
  @Test
  void two_failures_and_a_change_of_weight(TestReporter reporter) {
    List<String> explored = new ArrayList<>();
    for (int[] failures : new int[][] {{2, 0}, {1, 1}, {0, 2}}) {
      for (long[] w : new long[][] {{5, 5, 5}, {5, 5, 0}, {5, 0, 0}, {2, 5, 5}, {5, 5, 2}}) {
        explored.add(explore(w[0], w[1], w[2], failures[0], failures[1], 0, 1).toString());
      }
    }
    explored.add(explore(5, 5, 5, 1, 0, 1, 1).toString());
    explored.add(explore(5, 5, 5, 2, 0, 1, 0).toString());
    reporter.publishEntry("explored", String.join(System.lineSeparator(), explored));
    assertThat(explored).hasSize(17);
  }

  private static Explorer explore(
      long w01, long w02, long w12, int downs, int crashes, int ups, int weights) {
    StateDigest digest = new StateDigest();
    Explorer explorer = new Explorer(digest);
    Budget budget = new Budget(downs, crashes, ups, weights, List.of(1L, 9L));
    explorer.explore(
        new SmallWorld(3, new long[] {0, w01, w02, 0, 0, w12, 0, 0, 0}, budget, digest));
    return explorer;
  }
}
