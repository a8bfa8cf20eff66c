package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.sim.network.SimSettings;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The edges of the reference network that requests and replies cross, on the topics of the client
 * library. Each member has a server.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestReachTest {
  private static final int REQUESTER = 12;
  private static final String SERVICE = "request/price";
  private static final String REPLIES = "reply/of-12";

  private final SimCluster cluster = new SimCluster(ReferenceNetwork.topology(), 1);

  @BeforeAll
  void serveAtEachMember() {
    assertThat(cluster.runUntilReady(600_000)).isTrue();
    for (int node = 0; node < cluster.topology().nodes(); node++) {
      cluster.subscribe(node, SERVICE);
      cluster.subscribe(node, SERVICE + "/" + node);
    }
    cluster.subscribe(REQUESTER, REPLIES);
    cluster.subscribe(0, "reply/of-0");
    pass();
  }

  /** Longer than any message takes to cross the tree. */
  private void pass() {
    assertThat(cluster.runUntil(() -> false, 2_000)).isFalse();
  }

  private long edgesOf(int source, String topic, int receivers) {
    long before = forwardedChunks();
    MessageId message = cluster.broadcast(source, topic, ByteBuffer.allocate(100));
    pass();
    assertThat(cluster.deliveries().count(message)).isEqualTo(receivers);
    return forwardedChunks() - before;
  }

  private long forwardedChunks() {
    return cluster.snapshots().stream()
        .mapToLong(agent -> agent.broadcast().forwardedChunks())
        .sum();
  }

  /** Returns the edges between a member and the root, each by its lower end. */
  private Set<NodeId> edgesToRoot(int node) {
    CommittedTree tree = Objects.requireNonNull(cluster.snapshots().get(0).tree().tree());
    TreeSet<NodeId> edges = new TreeSet<>();
    for (NodeId at = SimSettings.id(node); !at.equals(tree.root()); ) {
      edges.add(at);
      at = Objects.requireNonNull(tree.parents().get(at));
    }
    return edges;
  }

  /** Returns the edges between a member and the requester. */
  private Set<NodeId> way(int member) {
    TreeSet<NodeId> way = new TreeSet<>(edgesToRoot(member));
    edgesToRoot(REQUESTER).forEach(edge -> assertThat(way.remove(edge) || way.add(edge)).isTrue());
    return way;
  }

  /** Asserts how many edges a request crosses, and its replies together. */
  private void assertEdges(String topic, List<Integer> members, long ofRequest, long ofReplies) {
    TreeSet<NodeId> ways = new TreeSet<>();
    members.forEach(member -> ways.addAll(way(member)));
    long requestEdges = edgesOf(REQUESTER, topic, members.size());
    assertThat(requestEdges).isEqualTo(ways.size());
    long replyEdges = 0;
    for (int member : members) {
      long edges = edgesOf(member, REPLIES, 1);
      assertThat(edges).isEqualTo(way(member).size());
      replyEdges += edges;
    }
    assertThat(List.of(requestEdges, replyEdges)).containsExactly(ofRequest, ofReplies);
  }

  private static List<Integer> nodes(Integer... nodes) {
    return List.of(nodes);
  }

  @Test
  void a_request_to_one_member_and_its_reply_cross_the_way_to_it() {
    assertEdges(SERVICE + "/4", nodes(4), 2, 2);
  }

  @Test
  void a_request_to_some_members_crosses_each_edge_towards_them_once_and_a_reply_its_way_back() {
    List<Integer> members = nodes(4, 5, 17, 20);
    String selection = Topic.to(members.stream().map(SimSettings::id).toList());
    assertEdges(selection + "/" + SERVICE, members, 5, 8);
  }

  @Test
  void a_request_to_all_crosses_each_edge_once_and_a_reply_its_way_back() {
    assertEdges(SERVICE, IntStream.range(0, 24).boxed().toList(), 23, 50);
  }
}
