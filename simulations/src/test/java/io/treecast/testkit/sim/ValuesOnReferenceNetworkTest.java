package io.treecast.testkit.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Rule;
import io.treecast.collectives.values.ValuesCounters;
import io.treecast.collectives.values.Written;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.ReferenceNetwork;
import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Shared values between whole agents on the reference network. */
class ValuesOnReferenceNetworkTest {
  private static final MapName ROUTES = new MapName(Rule.LATEST, "routes");
  private static final MapName BEST = new MapName(Rule.LEAST, "incumbent");
  private static final int MEMBERS = 24;

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  private SimAgent agent(int node) {
    return cluster.agents().stream().filter(each -> each.node() == node).findFirst().orElseThrow();
  }

  private Written put(int node, String key, String value) {
    return agent(node)
        .values(
            (values, now) -> values.put(ROUTES, key, ByteBuffer.wrap(value.getBytes(UTF_8)), now));
  }

  private boolean allHave(String key) {
    return cluster.agents().stream()
        .allMatch(each -> each.values((values, now) -> values.read(ROUTES, key)) != null);
  }

  private long sum(ToLongFunction<ValuesCounters> count) {
    return cluster.agents().stream()
        .mapToLong(each -> count.applyAsLong(each.values((values, now) -> values.counters())))
        .sum();
  }

  private void awaitQuiet() {
    long before = cluster.nowNanos();
    cluster.runUntil(() -> cluster.nowNanos() - before > 10_000_000_000L, 11_000);
  }

  @Test
  void a_put_costs_an_update_and_an_answer_for_each_edge_and_rest_costs_nothing() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    assertThat(sum(ValuesCounters::sentMessages)).isZero();
    assertThat(put(12, "eu", "h7")).isEqualTo(Written.STORED);
    assertThat(cluster.runUntil(() -> allHave("eu"), 10_000)).isTrue();
    awaitQuiet();
    assertThat(sum(ValuesCounters::sentUpdates)).isEqualTo(MEMBERS - 1);
    assertThat(sum(ValuesCounters::sentMessages)).isEqualTo(2 * (MEMBERS - 1));
  }

  @Test
  void an_offer_that_is_no_better_costs_nothing_beyond_its_member() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    ByteBuffer none = ByteBuffer.allocate(0);
    agent(3).values((values, now) -> values.offer(BEST, 5, none, now));
    awaitQuiet();
    agent(20).values((values, now) -> values.offer(BEST, 6, none, now));
    awaitQuiet();
    assertThat(sum(ValuesCounters::sentUpdates)).isEqualTo(MEMBERS - 1);
  }

  private boolean noOtherHas(int node, String key) {
    return cluster.agents().stream()
        .filter(each -> each.node() != node)
        .allMatch(each -> each.values((values, now) -> values.read(ROUTES, key)) == null);
  }

  @Test
  void an_entry_of_a_member_ends_with_it_and_returns_after_a_partition() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    ByteBuffer content = ByteBuffer.wrap("8".getBytes(UTF_8));
    agent(23).values((values, now) -> values.hold(1, ROUTES, "gpu", content, now));
    assertThat(cluster.runUntil(() -> allHave("gpu"), 10_000)).isTrue();

    cluster.links().partition(NodeGroup.range(0, 22), NodeGroup.of(23));
    assertThat(cluster.runUntil(() -> noOtherHas(23, "gpu"), 60_000)).isTrue();
    cluster.links().heal();
    assertThat(cluster.runUntil(() -> allHave("gpu"), 60_000)).isTrue();

    cluster.crash(23);
    assertThat(cluster.runUntil(() -> noOtherHas(23, "gpu"), 60_000)).isTrue();
  }

  @Test
  void a_member_that_restarts_has_all_values_again() {
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    put(12, "eu", "h7");
    awaitQuiet();
    cluster.crash(0);
    awaitQuiet();
    cluster.restart(0);
    assertThat(cluster.runUntil(() -> cluster.agents().size() == MEMBERS && allHave("eu"), 120_000))
        .isTrue();
  }
}
