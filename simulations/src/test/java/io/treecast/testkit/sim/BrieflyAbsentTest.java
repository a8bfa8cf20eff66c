package io.treecast.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.testkit.cluster.DeliveryLog.Broadcast;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.sim.network.SimSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Uploads wait for a member that is away for less than 30 s. */
class BrieflyAbsentTest {
  private static final int MIB = 1 << 20;

  /** Logs of 8 MiB, which the upload exceeds three times. */
  private static final SimSettings SMALL_LOGS =
      SimSettings.DEFAULT.withBroadcast(BroadcastLimits.forMemory(32 * MIB));

  private static final int PIECES = 384;
  private static final int PUBLISHER = 0;

  private final SimCluster cluster =
      new SimCluster(
          Topology.of(
              4,
              List.of(
                  new Link(0, 1, 10_000),
                  new Link(0, 2, 11_000),
                  new Link(0, 3, 12_000),
                  new Link(1, 2, 13_000),
                  new Link(1, 3, 14_000),
                  new Link(2, 3, 15_000))),
          1,
          null,
          SMALL_LOGS);

  @Test
  void an_upload_of_an_agent_that_restarted_meanwhile_waits_for_the_absent_member() {
    ready();
    cluster.links().partition(NodeGroup.of(0, 1, 2), NodeGroup.of(3));
    ready();
    cluster.crash(PUBLISHER);
    cluster.restart(PUBLISHER);
    ready();
    upload();
    run(13_000);

    assertThat(cluster.uploads().areUnderWay()).as("it waits").isTrue();
    cluster.links().heal();
    assertThat(cluster.runUntil(() -> !cluster.uploads().areUnderWay(), 60_000)).isTrue();
    ready();

    Broadcast upload = cluster.deliveries().broadcasts().get(0);
    assertThat(cluster.runUntil(() -> cluster.deliveries().count(upload.id()) == 4, 60_000))
        .as("every member has it")
        .isTrue();
  }

  private void ready() {
    assertThat(cluster.runUntilReady(60_000)).isTrue();
  }

  private void run(long millis) {
    cluster.runUntil(() -> false, millis);
  }

  private void upload() {
    cluster
        .uploads()
        .plan(new UploadPlan(cluster.nowNanos(), PUBLISHER, 24 * MIB, PIECES, 10_000_000, false));
  }
}
