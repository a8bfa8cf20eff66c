package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.EventCosts.Cost;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The exact cost of events among 1,000 nodes with 8,000 links. These numbers change only if the
 * protocol does; adapt them knowingly.
 */
class LargeNetworkBudgetTest {
  private static final int BUILD_BUDGET = 12_000;
  private static final int LOST_TREE_LINK_BUDGET = 4_000;
  private static final int REPAIR_BUDGET_IN_DIAMETERS = 5;

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"0, 9617, 3032, 3463", "2, 10078, 3021, 2541"})
  void the_build_and_a_lost_tree_link_of_other_networks(
      long seed, int build, int repair, long repairMillis) {
    the_build_and_a_lost_tree_link(seed, build, repair, repairMillis);
  }

  @ParameterizedTest
  @CsvSource("1, 11998, 3053, 5471")
  void the_build_and_a_lost_tree_link(long seed, int build, int repair, long repairMillis) {
    SparseNetwork network = new SparseNetwork(1_000, 16, seed);

    assertThat(network.build().total()).isEqualTo(build).isLessThanOrEqualTo(BUILD_BUDGET);

    Cost lost = network.lose(network.treeEdge());
    assertThat(lost.total()).isEqualTo(repair).isLessThanOrEqualTo(LOST_TREE_LINK_BUDGET);
    assertThat(lost.millis())
        .isEqualTo(repairMillis)
        .isLessThanOrEqualTo(REPAIR_BUDGET_IN_DIAMETERS * network.diameterMillis());
  }

  @Test
  void a_change_without_effect_on_the_tree_is_free() {
    SparseNetwork network = new SparseNetwork(1_000, 16, 0);
    network.build();
    int[] link = network.otherLink();
    long heaviest = network.rttMicros(link);

    assertThat(List.of(network.reweigh(link, heaviest + 1), network.reweigh(link, heaviest)))
        .as("a link outside the tree that worsens, and one that improves in vain")
        .allMatch(cost -> cost.messages().isEmpty());
    assertThat(network.lose(link).messages()).as("that link lost").isEmpty();
  }
}
