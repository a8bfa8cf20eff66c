package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.AgentSnapshot;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The traffic of an upload on the edges when the tree changes in its middle. */
class UploadAcrossCutTest {
  private static final int PIECES = 40;

  /** Each piece is one chunk, and the end of the upload is another. */
  private static final int CHUNKS = PIECES + 1;

  @Test
  void an_upload_resumes_at_the_chunk_and_no_surviving_edge_carries_a_chunk_twice() {
    // The tree is the line 0-1-2-3; without 1-2 the path to 2 is over 3.
    Topology ring =
        Topology.of(
            4,
            List.of(
                new Link(0, 1, 2_000),
                new Link(1, 2, 3_000),
                new Link(2, 3, 4_000),
                new Link(0, 3, 50_000)));
    SimCluster cluster = new SimCluster(ring, 1);
    assertThat(cluster.runUntilReady(60_000)).isTrue();
    assertThat(cluster.runUntilAtRest(60_000)).isTrue();
    long began = cluster.nowNanos();
    cluster.uploads().plan(new UploadPlan(began, 0, PIECES * 1_000, PIECES, 200_000_000, false));

    assertThat(cluster.runUntil(() -> cluster.nowNanos() > began + 3_000_000_000L, 60_000))
        .isTrue();
    cluster.links().cut(1, 2);
    assertThat(cluster.runUntilReady(120_000)).isTrue();
    assertThat(cluster.runUntil(() -> delivered(cluster) == 4, 120_000)).isTrue();

    List<AgentSnapshot> agents = cluster.snapshots();
    // Edges 0-1 and 2-3 survive. Node 3 receives over its new edge, so 2-3 changes its direction.
    assertThat(chunksSent(agents.get(0)))
        .as("0 to 1, and to 3 what it lacked")
        .isLessThan(2L * CHUNKS);
    assertThat(agents).allSatisfy(agent -> assertThat(duplicates(agent)).isZero());
    assertThat(agents.stream().mapToLong(UploadAcrossCutTest::chunksSent).sum())
        .as("each chunk is sent once to each of the other three, but what was lost with the cut")
        .isBetween(3L * CHUNKS, 3L * CHUNKS + 30);
  }

  private static long delivered(SimCluster cluster) {
    return cluster.deliveries().totalCount();
  }

  private static long chunksSent(AgentSnapshot agent) {
    return agent.broadcast().forwardedChunks();
  }

  private static long duplicates(AgentSnapshot agent) {
    return agent.broadcast().duplicateChunks();
  }
}
