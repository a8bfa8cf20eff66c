package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.wire.DataCodec;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.testkit.cluster.Incarnation;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimNetwork.Distortion;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The gRPC messages that carry the replies of all members of the reference network to node 12.
 * Messages that an agent sends to a neighbour at the same moment share one.
 */
class SharedRepliesTest {
  private static final int REQUESTER = 12;
  private static final String REQUESTS = "request/price";

  /** The members from which an edge leads to another site, nearer to the requester. */
  private static final Set<Integer> EXITS = Set.of(0, 4, 8, 16, 20);

  private static final long MOST_HANDLING_NANOS = 3_000_000;

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);
  private final Map<Integer, RecentStreams> streams = new HashMap<>();

  /** The number of replies in each gRPC message, by sender and time. */
  private final TreeMap<Integer, TreeMap<Long, Integer>> sent = new TreeMap<>();

  /** The time from the request to the last reply. */
  private long lastNanos;

  /** Counts the replies that an agent sends. All of them leave on its edge to the requester. */
  private void watch(int node, String topic) {
    cluster.distort(
        node,
        new Distortion() {
          @Override
          public byte[] dataFrame(byte[] frame) {
            if (isReply(node, frame, topic)) {
              sent.computeIfAbsent(node, first -> new TreeMap<>())
                  .merge(cluster.nowNanos(), 1, Integer::sum);
            }
            return frame;
          }
        });
  }

  private boolean isReply(int node, byte[] frame, String topic) {
    try {
      DataMessage message =
          DataCodec.decode(frame, streams.computeIfAbsent(node, first -> new RecentStreams()));
      return message instanceof Edge edge
          && edge.message() instanceof Data data
          && data.item().stream().topic().equals(topic);
    } catch (WireViolation e) {
      throw new AssertionError(e);
    }
  }

  /** Lets all members answer a request, each after a random time for its handling. */
  private void requestAll(String replies) {
    assertThat(cluster.runUntilReady(600_000)).isTrue();
    int members = cluster.topology().nodes();
    for (int node = 0; node < members; node++) {
      cluster.subscribe(node, REQUESTS);
    }
    cluster.subscribe(REQUESTER, replies);
    assertThat(cluster.runUntil(() -> false, 10_000)).isFalse();
    for (int node = 0; node < members; node++) {
      watch(node, replies);
    }
    Random random = new Random(1);
    Set<MessageId> answers = new HashSet<>();
    Set<Integer> asked = new HashSet<>();
    long begin = cluster.nowNanos();
    MessageId request = cluster.broadcast(REQUESTER, REQUESTS, ByteBuffer.allocate(100));
    assertThat(
            cluster.runUntil(
                () -> {
                  for (Incarnation life : cluster.deliveries().deliveredNanos(request).keySet()) {
                    if (asked.add(life.node())) {
                      cluster.after(
                          random.nextLong(MOST_HANDLING_NANOS),
                          () ->
                              answers.add(
                                  cluster.broadcast(
                                      life.node(), replies, ByteBuffer.allocate(100))));
                    }
                  }
                  return answers.size() == members
                      && answers.stream().allMatch(each -> cluster.deliveries().count(each) == 1);
                },
                10_000))
        .isTrue();
    lastNanos = cluster.nowNanos() - begin;
  }

  /** Returns the numbers of replies, by the time of their gRPC message, that members sent. */
  private List<Integer> sentBy(Predicate<Integer> members) {
    return sent.entrySet().stream()
        .filter(each -> members.test(each.getKey()))
        .flatMap(each -> each.getValue().values().stream())
        .toList();
  }

  private static int sum(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
  }

  private void assertCost(int messages, int betweenSites, long lastMillis) {
    List<Integer> all = sentBy(member -> true);
    assertThat(sum(all)).as("crossings of replies").isEqualTo(50);
    assertThat(all).as("gRPC messages").hasSize(messages);
    assertThat(sum(sentBy(EXITS::contains))).as("crossings between sites").isEqualTo(32);
    assertThat(sentBy(EXITS::contains)).as("between sites").hasSize(betweenSites);
    assertThat(TimeUnit.NANOSECONDS.toMillis(lastNanos)).isEqualTo(lastMillis);
  }

  @Test
  void replies_that_do_not_wait_cross_each_edge_in_a_message_each() {
    requestAll("reply/of-12");
    assertCost(50, 32, 711);
  }

  @Test
  void replies_that_wait_share_messages_between_sites() {
    requestAll("reply/shared/of-12");
    assertCost(27, 9, 761);
  }
}
