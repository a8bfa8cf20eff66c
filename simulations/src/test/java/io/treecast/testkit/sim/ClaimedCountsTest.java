package io.treecast.testkit.sim;

import static io.treecast.testkit.junit.ClusterAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.CommittedTree;
import io.treecast.testkit.cluster.TreeVerdict;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Agents adopt the highest received epoch and version, and continue from there. One agent claims a
 * number that no agent has reached, and ends. The others must then have one minimal tree, also
 * after each of them has restarted in turn.
 */
@Order(2)
class ClaimedCountsTest {
  private static final int CORRECT = 5;
  private static final int LIAR = CORRECT;
  private static final long PATIENCE_MILLIS = 600_000;

  /** The initial lead over their own counts that agents accept. */
  private static final long HEADROOM = 1L << 52;

  /** Returns numbers near the limits, up to the largest one in a frame. */
  static LongStream claims() {
    return LongStream.of(HEADROOM, 2 * HEADROOM, ShiftedCounts.MAX_COUNT - 4);
  }

  static LongStream otherClaims() {
    return LongStream.of(
        1, 1L << 31, HEADROOM - 1, HEADROOM + 10_000_000, ShiftedCounts.MAX_COUNT - 20);
  }

  @ParameterizedTest
  @Tag("nightly")
  @MethodSource("otherClaims")
  void no_other_epoch_or_version_that_one_agent_claims_outlives_it(long claim) {
    assertRecovery(new ShiftedCounts(claim, 0, 0));
    assertRecovery(new ShiftedCounts(0, claim, 0));
  }

  @ParameterizedTest
  @MethodSource("claims")
  void an_epoch_that_one_agent_claims_does_not_outlive_it(long claim) {
    assertRecovery(new ShiftedCounts(claim, 0, 0));
  }

  @ParameterizedTest
  @MethodSource("claims")
  void a_version_that_one_agent_claims_does_not_outlive_it(long claim) {
    assertRecovery(new ShiftedCounts(0, claim, 0));
  }

  /** Returns two sites, with the false claimant in the second. */
  private static Topology network() {
    List<Link> links = new ArrayList<>();
    for (int one = 0; one <= LIAR; one++) {
      for (int other = 0; other < one; other++) {
        boolean isWithinSite = one / 3 == other / 3;
        links.add(Link.between(one, other, (isWithinSite ? 1_000 : 40_000) + 10L * one + other));
      }
    }
    return Topology.of(CORRECT + 1, links);
  }

  @Test
  void the_highest_numbers_that_are_believed_do_not_outlive_it() {
    assertRecovery(
        new SimCluster(network(), 1),
        nowMicros -> new ShiftedCounts(HEADROOM + nowMicros, HEADROOM + nowMicros, 0));
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(longs = {1, 2 * HEADROOM})
  void no_other_token_generation_that_one_agent_claims_outlives_it(long claim) {
    a_token_generation_that_one_agent_claims_does_not_outlive_it(claim);
  }

  @ParameterizedTest
  @ValueSource(longs = {HEADROOM, Long.MAX_VALUE})
  void a_token_generation_that_one_agent_claims_does_not_outlive_it(long claim) {
    SimCluster cluster = SimCluster.measuringThroughput(network(), 1);
    assertRecovery(cluster, nowMicros -> new ShiftedCounts(0, 0, claim));
    long believed = cluster.warnings().size();
    letPass(cluster, 300_000);
    assertThat(cluster.warnings()).as("nobody ends a link for a token").hasSize((int) believed);
  }

  private static void assertRecovery(ShiftedCounts claim) {
    assertRecovery(new SimCluster(network(), 1), nowMicros -> claim);
  }

  private static void assertRecovery(SimCluster cluster, LongFunction<ShiftedCounts> claim) {
    cluster.leave(LIAR);
    assertOneTree(cluster);
    cluster.distort(LIAR, claim.apply(cluster.nowNanos() / 1_000).distortion());
    cluster.restart(LIAR);
    letPass(cluster, 60_000);
    cluster.crash(LIAR);
    cluster.distort(LIAR, null);
    assertOneTree(cluster);
    for (int node = 0; node < CORRECT; node++) {
      cluster.crash(node);
      letPass(cluster, 5_000);
      cluster.restart(node);
      assertOneTree(cluster);
    }
  }

  private static void letPass(SimCluster cluster, long millis) {
    cluster.runUntil(() -> false, millis);
  }

  private static void assertOneTree(SimCluster cluster) {
    assertThat(cluster.runUntilReady(PATIENCE_MILLIS)).as("ready").isTrue();
    assertThat(cluster).isMinimumSpanningTree();
    assertThat(TreeVerdict.of(cluster).trees().values())
        .extracting(CommittedTree::members)
        .allSatisfy(members -> assertThat(members).hasSize(CORRECT));
    cluster.broadcast(0, ByteBuffer.wrap("after".getBytes(UTF_8)));
    assertThat(cluster).everyBroadcastDeliveredOnce();
  }
}
