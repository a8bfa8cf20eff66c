package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.agent.core.contract.Notice;
import io.treecast.testkit.cluster.BroadcastVerdict;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Uploads use the widest tree, and whole messages the tree by latency. */
class UploadRouteTest {
  private static final long MEASURED_MILLIS = 600_000;
  private static final int BYTES = 4 << 20;

  /** Time of the upload at 10 Mbit/s, at least three times that at 100 Mbit/s. */
  private static final long NARROW_MILLIS = BYTES * 8L / 10_000;

  /** Returns a triangle whose tree by latency is 0-1, 1-2 and whose widest tree is 0-2, 1-2. */
  private static SimCluster triangle() {
    Topology topology =
        Topology.of(
            3, List.of(new Link(0, 1, 5_000), new Link(1, 2, 10_000), new Link(0, 2, 50_000)));
    SimCluster cluster = SimCluster.measuringThroughput(topology, 1);
    cluster.network().throughput(0, 1, 10_000);
    cluster.network().throughput(1, 2, 100_000);
    cluster.network().throughput(0, 2, 100_000);
    var unused = cluster.runUntil(() -> false, MEASURED_MILLIS);
    return cluster;
  }

  private static void upload(SimCluster cluster) {
    cluster.uploads().plan(new UploadPlan(cluster.nowNanos(), 0, BYTES, 64, 0, false));
  }

  private static boolean isDelivered(SimCluster cluster) {
    return cluster.deliveries().totalCount() == 3;
  }

  @Test
  void an_upload_takes_as_long_as_the_widest_way_does() {
    SimCluster cluster = triangle();
    upload(cluster);
    assertThat(cluster.runUntil(() -> isDelivered(cluster), NARROW_MILLIS / 3)).isTrue();
  }

  @Test
  void a_broadcast_beside_it_takes_as_long_as_the_nearest_way_does() {
    SimCluster cluster = triangle();
    upload(cluster);
    var unused = cluster.runUntil(() -> false, 100);
    assertThat(isDelivered(cluster)).isFalse();
    long before = cluster.deliveries().totalCount();
    cluster.broadcast(0, "", ByteBuffer.allocate(10), 0);
    // Link 0-1 carries only the broadcast; 1-2 also carries the upload.
    assertThat(cluster.runUntil(() -> cluster.deliveries().totalCount() == before + 2, 5)).isTrue();
  }

  @Test
  void when_a_wide_link_fails_in_its_middle_an_upload_goes_on_along_the_others() {
    SimCluster cluster = triangle();
    upload(cluster);
    var unused = cluster.runUntil(() -> false, 100);
    assertThat(isDelivered(cluster)).isFalse();
    cluster.links().cut(0, 2);
    assertThat(cluster.runUntil(() -> isDelivered(cluster), 60_000)).isTrue();
    assertThat(BroadcastVerdict.of(cluster).everyBroadcastDeliveredOnce()).isTrue();
  }

  @Test
  void a_wide_link_that_fails_under_an_upload_is_noticed_as_soon_as_an_edge_of_the_other_tree() {
    // Independent of the time of the last probe of the link.
    for (long millis = 0; millis < 2_500; millis += 500) {
      SimCluster cluster = triangle();
      var unused = cluster.runUntil(() -> false, millis);
      upload(cluster);
      unused = cluster.runUntil(() -> false, 100);
      int before = cluster.warnings().size();
      cluster.links().cut(0, 2);
      assertThat(cluster.runUntil(() -> cluster.warnings().size() > before, 2_700))
          .as("%d ms later", millis)
          .isTrue();
      assertThat(cluster.warnings()).last().asString().contains(Notice.Kind.LINK_SUSPENDED.name());
    }
  }
}
