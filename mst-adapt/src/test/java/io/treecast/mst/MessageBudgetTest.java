package io.treecast.mst;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.EventCosts.Cost;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The exact cost of events on the reference network. These numbers change only if the protocol
 * does; adapt them knowingly.
 *
 * <p>Two kinds of messages do not count here: the driver's message that tells the other end of a
 * link its new weight, and the handshake of a link.
 */
class MessageBudgetTest {
  private static final int BUILD_BUDGET = 270;
  private static final int CUT_BUDGET = 4 * ReferenceNetwork.SIZE;
  private static final int CRASH_BUDGET = 6 * ReferenceNetwork.SIZE;

  /**
   * The cost of every repair by one cut: each survivor searches once, and all learn of the commit.
   */
  private static final Map<String, Integer> ONE_CUT =
      Map.of("Initiate", 22, "Report", 22, "Connect", 2, "Commit", 23, "Failure", 1);

  @Test
  void the_build_with_its_commit_stays_within_its_budget() {
    Cost build = new ReferenceNetwork().build();

    assertThat(build.messages())
        .isEqualTo(
            Map.of("Initiate", 88, "Report", 88, "Connect", 32, "ChangeRoot", 6, "Commit", 23));
    assertThat(build.total()).isEqualTo(237).isLessThanOrEqualTo(BUILD_BUDGET);
    assertThat(build.millis()).isEqualTo(821);
  }

  @Test
  void a_lost_tree_link_between_sites_costs_one_search() {
    assertCut(built().lose(12, 20), 72, 1_098, Map.of("ChangeRoot", 2));
  }

  @Test
  void a_lost_tree_link_inside_a_site_costs_one_search() {
    assertCut(built().lose(4, 6), 72, 581, Map.of("ChangeRoot", 2));
  }

  @Test
  void a_tree_edge_that_worsens_costs_one_search() {
    assertCut(built().reweigh(4, 6, 6_001), 74, 3_190, Map.of("ChangeRoot", 2, "Cut", 2));
  }

  @Test
  void a_tree_edge_between_sites_that_worsens_costs_one_search() {
    assertCut(built().reweigh(12, 20, 29_669.16), 74, 15_206, Map.of("ChangeRoot", 2, "Cut", 2));
  }

  @Test
  void a_link_that_improves_and_beats_its_path_costs_one_search() {
    assertCut(built().reweigh(8, 16, 300), 71, 738, Map.of("Cut", 1));
    assertCut(
        built().reweigh(5, 6, 0.1), 75, 581, Map.of("ChangeRoot", 2, "Cut", 1, "CutOrder", 2));
  }

  @Test
  void a_change_without_effect_on_the_tree_is_free() {
    assertFree(built().reweigh(8, 16, 370)); // Lighter, but not than its path.
    assertFree(built().reweigh(5, 6, 0.3)); // A non-tree link that worsens.
    assertFree(built().reweigh(4, 6, 0.1)); // A tree edge that improves.
    assertFree(built().lose(5, 6)); // A non-tree link that is lost.
  }

  @TestFactory
  Iterable<DynamicTest> a_crash_of_any_node_stays_within_its_budget() {
    Map<Integer, Integer> interior = Map.of(0, 76, 4, 117, 8, 76, 12, 113, 16, 117, 20, 76);
    return IntStream.range(0, ReferenceNetwork.SIZE)
        .mapToObj(
            node ->
                DynamicTest.dynamicTest(
                    "node " + node,
                    () -> {
                      int total = built().crash(node).total();
                      if (interior.containsKey(node)) {
                        assertThat(total)
                            .isEqualTo(interior.get(node))
                            .isLessThanOrEqualTo(CRASH_BUDGET);
                      } else {
                        assertThat(total).isBetween(66, 68);
                      }
                    }))
        .toList();
  }

  @Test
  void a_restart_costs_one_search_and_its_handshakes() {
    ReferenceNetwork network = built();
    network.crash(1);

    Cost restart = network.restart(1);

    assertThat(restart.messages())
        .isEqualTo(Map.of("Initiate", 23, "Report", 23, "Connect", 1, "Commit", 23, "Wake", 2));
    assertThat(restart.handshakes()).isEqualTo(46);
  }

  @Test
  void a_site_that_is_cut_off_and_comes_back_costs_two_searches() {
    ReferenceNetwork network = built();

    assertThat(network.isolateSite(2).total()).isEqualTo(67);

    Cost heal = network.healSite(2);
    assertThat(heal.total()).isEqualTo(92);
    assertThat(heal.handshakes()).isEqualTo(160);
  }

  /**
   * The published evaluation took about 815 messages for the build and 6,308 for the four changes.
   */
  @Test
  void change_set_e_stays_within_its_budget() {
    ReferenceNetwork network = new ReferenceNetwork().with(0, 2, 12_001.02).with(12, 16, 450.12);

    assertThat(network.build().total()).isEqualTo(238);
    assertThat(network.reweigh(4, 6, 6_001).total()).isEqualTo(76).isLessThan(CUT_BUDGET);
    assertThat(network.reweigh(0, 2, 0.1).total()).isEqualTo(85).isLessThan(CUT_BUDGET);
    assertThat(network.reweigh(12, 20, 29_669.16).total()).isEqualTo(76).isLessThan(CUT_BUDGET);
    assertThat(network.reweigh(12, 16, 330.12).total()).isEqualTo(74).isLessThan(CUT_BUDGET);
  }

  private static ReferenceNetwork built() {
    ReferenceNetwork network = new ReferenceNetwork();
    network.build();
    return network;
  }

  private static void assertCut(
      Cost cost, int total, long millis, Map<String, Integer> besideOneCut) {
    assertThat(cost.messages()).containsAllEntriesOf(ONE_CUT).containsAllEntriesOf(besideOneCut);
    assertThat(cost.total()).isEqualTo(total).isLessThanOrEqualTo(CUT_BUDGET);
    assertThat(cost.millis()).isEqualTo(millis);
  }

  private static void assertFree(Cost cost) {
    assertThat(cost.messages()).isEmpty();
    assertThat(cost.millis()).isZero();
  }
}
