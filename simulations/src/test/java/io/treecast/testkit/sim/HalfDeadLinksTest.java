package io.treecast.testkit.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.agent.core.AgentSnapshot.LinkView;
import io.treecast.agent.core.contract.LinkState;
import io.treecast.agent.core.contract.Notice;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.testkit.network.NetworkConditions;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A link whose control stream works, but whose data stream does not, is unusable. */
@Order(2)
class HalfDeadLinksTest {
  private static final long MINUTE_MILLIS = 60_000;
  private static final long HOUR_MILLIS = 60 * MINUTE_MILLIS;

  /**
   * A time with seven attempts to use the link again; the longest pauses between them are later.
   */
  private static final int SEVERAL_ATTEMPTS_SECONDS = 700;

  private static final String WITHOUT_DATA = Notice.Kind.LINK_WITHOUT_DATA.name();

  /** A ring whose tree is the line 0-1-2-3; without 1-2 the path to 2 is over 3. */
  private static final Topology RING =
      Topology.of(
          4,
          List.of(
              new Link(0, 1, 2_000),
              new Link(1, 2, 3_000),
              new Link(2, 3, 4_000),
              new Link(0, 3, 50_000)));

  @Test
  void another_edge_replaces_one_whose_data_is_held_both_ways() {
    assertReplaced(network -> network.cutData(1, 2), 3_600);
  }

  @Test
  void another_edge_replaces_one_whose_data_is_held_from_the_owner() {
    assertReplaced(network -> network.dataOneWay(1, 2), SEVERAL_ATTEMPTS_SECONDS);
  }

  @Test
  void another_edge_replaces_one_whose_data_is_held_to_the_owner() {
    assertReplaced(network -> network.dataOneWay(2, 1), SEVERAL_ATTEMPTS_SECONDS);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"1, 2", "2, 1"})
  void a_link_whose_data_is_held_one_way_stays_replaced_for_an_hour(int from, int to) {
    assertReplaced(network -> network.dataOneWay(from, to), 3_600);
  }

  private static void assertReplaced(Consumer<NetworkConditions> fault, int seconds) {
    SimCluster cluster = atRest(RING);
    fault.accept(cluster.network());
    List<MessageId> sent = new ArrayList<>();
    sent.add(broadcast(cluster, 0));
    sent.add(broadcast(cluster, 3));
    assertThat(cluster.runUntil(() -> isDelivered(cluster, sent, 4), MINUTE_MILLIS))
        .as("another edge carries what was sent before within a minute")
        .isTrue();
    assertThat(link(cluster, 1, 2).state()).isEqualTo(LinkState.NO_DATA);
    assertThat(link(cluster, 2, 1).state()).isEqualTo(LinkState.NO_DATA);
    assertThat(link(cluster, 1, 2).downReason()).contains("data");

    long fromNanos = cluster.nowNanos();
    for (int second = 0; second < seconds; second++) {
      MessageId id = broadcast(cluster, second % 4);
      sent.add(id);
      letPass(cluster, 1_000);
      assertThat(isDelivered(cluster, List.of(id), 4))
          .as("second %d: nothing hangs", second)
          .isTrue();
    }
    assertThat(isDelivered(cluster, sent, 4)).as("each is delivered once everywhere").isTrue();
    assertThat(versionsSince(cluster, fromNanos)).as("it does not come back to the tree").isZero();
    assertThat(cluster.warnings().stream().filter(line -> line.contains(WITHOUT_DATA)))
        .as("and is tried again")
        .hasSizeGreaterThan(4);

    cluster.links().heal();
    assertThat(
            cluster.runUntil(
                () -> link(cluster, 1, 2).treeEdge() && link(cluster, 1, 2).carriesData(),
                15 * MINUTE_MILLIS))
        .as("the link comes back when the fault is over")
        .isTrue();
    sent.add(broadcast(cluster, 1));
    letPass(cluster, 10_000);
    assertThat(isDelivered(cluster, sent, 4)).isTrue();
    assertThat(link(cluster, 1, 2).state()).isEqualTo(LinkState.UP);
  }

  /**
   * A path that drops large packets permits a data stream to open, and passes its first small
   * messages.
   */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 1"})
  void a_link_that_carries_only_small_messages_does_not_come_back_to_the_tree(int from, int to) {
    assertDoesNotComeBack(from, to, SEVERAL_ATTEMPTS_SECONDS / 10);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource({"1, 2", "2, 1"})
  void a_link_that_carries_only_small_messages_stays_away_for_an_hour(int from, int to) {
    assertDoesNotComeBack(from, to, 360);
  }

  private static void assertDoesNotComeBack(int from, int to, int turns) {
    SimCluster cluster = atRest(RING);
    cluster.network().largeDataOneWay(from, to, 1_400);
    List<MessageId> sent = new ArrayList<>();
    sent.add(cluster.broadcast(0, ByteBuffer.allocate(8_000)));
    sent.add(cluster.broadcast(3, ByteBuffer.allocate(8_000)));
    assertThat(cluster.runUntil(() -> isDelivered(cluster, sent, 4), MINUTE_MILLIS)).isTrue();
    assertThat(link(cluster, 1, 2).state()).isEqualTo(LinkState.NO_DATA);

    long fromNanos = cluster.nowNanos();
    for (int turn = 0; turn < turns; turn++) {
      sent.add(cluster.broadcast(turn % 4, ByteBuffer.allocate(8_000)));
      letPass(cluster, 10_000);
      assertThat(isDelivered(cluster, sent, 4)).as("turn %d: nothing hangs", turn).isTrue();
    }
    assertThat(versionsSince(cluster, fromNanos)).as("it does not come back to the tree").isZero();

    cluster.links().heal();
    assertThat(
            cluster.runUntil(
                () -> link(cluster, 1, 2).treeEdge() && link(cluster, 1, 2).carriesData(),
                15 * MINUTE_MILLIS))
        .as("the link comes back when the fault is over")
        .isTrue();
  }

  @Test
  void a_link_of_which_no_data_stream_ever_opens_is_left_out() {
    SimCluster cluster = new SimCluster(RING, 1);
    cluster.network().cutData(1, 2);
    letPass(cluster, MINUTE_MILLIS);
    List<MessageId> sent = List.of(broadcast(cluster, 0), broadcast(cluster, 2));
    letPass(cluster, MINUTE_MILLIS);
    assertThat(isDelivered(cluster, sent, 4)).isTrue();
    long fromNanos = cluster.nowNanos();
    letPass(cluster, HOUR_MILLIS);
    assertThat(versionsSince(cluster, fromNanos)).isZero();
  }

  @Test
  void a_healthy_data_stream_that_is_reset_is_dialed_again_at_once_and_the_tree_stays() {
    SimCluster cluster = atRest(RING);
    letPass(cluster, 10_000);
    long fromNanos = cluster.nowNanos();
    for (int i = 0; i < 3; i++) {
      cluster.resetData(1, 2);
      MessageId sent = broadcast(cluster, 0);
      letPass(cluster, 1_000);
      assertThat(isDelivered(cluster, List.of(sent), 4)).as("after reset %d", i).isTrue();
      letPass(cluster, 2 * MINUTE_MILLIS);
    }
    assertThat(versionsSince(cluster, fromNanos)).isZero();
    assertThat(cluster.warnings()).noneMatch(line -> line.contains(WITHOUT_DATA));
  }

  @Test
  void where_it_is_the_only_path_each_side_is_a_tree_of_its_own() {
    SimCluster cluster = atRest(Topology.of(2, List.of(new Link(0, 1, 2_000))));
    cluster.network().cutData(0, 1);
    MessageId before = broadcast(cluster, 0);
    assertThat(cluster.runUntil(() -> treeSize(cluster, 0) == 1, MINUTE_MILLIS)).isTrue();
    assertThat(cluster.runUntil(() -> treeSize(cluster, 1) == 1, MINUTE_MILLIS)).isTrue();
    cluster.links().heal();
    assertThat(cluster.runUntil(() -> isDelivered(cluster, List.of(before), 2), MINUTE_MILLIS))
        .isTrue();
  }

  @Test
  void a_link_of_100_kilobits_a_second_that_is_busy_for_minutes_is_not_half_dead() {
    SimCluster cluster = atRest(Topology.of(2, List.of(new Link(0, 1, 20_000))));
    cluster.network().throughput(0, 1, 100);
    MessageId large = cluster.broadcast(0, Topic.DEFAULT, ByteBuffer.allocate(3_000_000));
    assertThat(cluster.runUntil(() -> isDelivered(cluster, List.of(large), 2), HOUR_MILLIS))
        .isTrue();
    assertThat(cluster.warnings()).noneMatch(line -> line.contains(WITHOUT_DATA));
  }

  @Test
  void an_agent_that_is_paused_for_minutes_with_data_under_way_is_not_half_dead() {
    for (long pauseMillis : List.of(3_000L, 15_000L, 18_000L, 5 * MINUTE_MILLIS)) {
      SimCluster cluster = atRest(RING);
      cluster.pause(2);
      List<MessageId> sent = List.of(broadcast(cluster, 0), broadcast(cluster, 1));
      letPass(cluster, pauseMillis);
      cluster.resume(2);
      assertThat(cluster.runUntil(() -> isDelivered(cluster, sent, 4), MINUTE_MILLIS)).isTrue();
      letPass(cluster, MINUTE_MILLIS);
      assertThat(cluster.warnings()).noneMatch(line -> line.contains(WITHOUT_DATA));
    }
  }

  private static SimCluster atRest(Topology topology) {
    SimCluster cluster = new SimCluster(topology, 1);
    assertThat(cluster.runUntilReady(MINUTE_MILLIS)).isTrue();
    assertThat(cluster.runUntilAtRest(MINUTE_MILLIS)).isTrue();
    return cluster;
  }

  private static MessageId broadcast(SimCluster cluster, int source) {
    return cluster.broadcast(source, Topic.DEFAULT, ByteBuffer.wrap("hello".getBytes(UTF_8)));
  }

  private static boolean isDelivered(SimCluster cluster, List<MessageId> sent, int members) {
    return sent.stream().allMatch(id -> cluster.deliveries().count(id) == members);
  }

  private static int treeSize(SimCluster cluster, int node) {
    var tree = agent(cluster, node).tree().tree();
    return tree == null ? 0 : tree.members().size();
  }

  private static AgentSnapshot agent(SimCluster cluster, int node) {
    return Objects.requireNonNull(cluster.unpaused().get(node));
  }

  private static LinkView link(SimCluster cluster, int node, int peer) {
    return agent(cluster, node).links().stream()
        .filter(link -> link.peer().id().equals(SimSettings.id(peer)))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the number of commits since a time, at the member with most of them. */
  private static long versionsSince(SimCluster cluster, long fromNanos) {
    return cluster.history().commitsSince(fromNanos).stream()
        .map(commit -> commit.tree().version())
        .distinct()
        .count();
  }

  private static void letPass(SimCluster cluster, long millis) {
    cluster.runUntil(() -> false, millis);
  }
}
