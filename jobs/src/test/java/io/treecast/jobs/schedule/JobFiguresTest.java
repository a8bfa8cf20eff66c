package io.treecast.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.jobs.MessageBytes;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import java.util.LongSummaryStatistics;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Figures of the page on jobs, exact in virtual time. */
class JobFiguresTest {
  private static final long MILLI = 1_000_000;

  private final Topology topology = ReferenceNetwork.topology();

  /** Members in sites of some size, with round trips of 0.2 ms in a site and 20 ms between them. */
  private static JobNetwork sites(int members, int size) {
    int[] site = IntStream.range(0, members).map(member -> member / size).toArray();
    return new JobNetwork(site, (from, to) -> site[from] == site[to] ? MILLI / 10 : 10 * MILLI);
  }

  /**
   * Starts the members.
   *
   * @param size of the sites that they know
   */
  private static JobNetwork started(JobNetwork network, int size, int seed) {
    network.nodes.forEach(node -> node.start(100 * seed + node.number + 1, 1));
    network.tellMembers(node -> "site " + node / size);
    return network;
  }

  private static LongSummaryStatistics solved(JobNetwork network) {
    return network.nodes.stream().mapToLong(node -> node.solvedHere).summaryStatistics();
  }

  @Test
  void ninety_nine_equal_tasks_on_twelve_members_are_shared_nearly_evenly() {
    JobNetwork network = started(sites(12, 12), 12, 1);
    network.workNanos = (node, work) -> work.task().isLeaf() ? 100 * MILLI : MILLI;
    JobId job = network.nodes.get(0).runJob(Branch.sum(1, 1, -99));

    network.runUntilEnded(0, job);

    assertThat(solved(network).getSum()).isEqualTo(99);
    assertThat(solved(network).getMin()).isGreaterThanOrEqualTo(8);
    assertThat(solved(network).getMax()).isLessThanOrEqualTo(9);
  }

  @Test
  void a_hundred_members_share_tasks_although_each_exchanges_them_with_few() {
    JobNetwork network = started(sites(100, 4), 4, 1);
    network.workNanos = (node, work) -> 20 * MILLI;
    JobId job = network.nodes.get(0).runJob(Branch.sum(1, 4, -10));

    network.runUntilEnded(0, job);

    assertThat(solved(network).getMin()).isPositive();
  }

  @Test
  void a_job_on_the_reference_network_ends_earlier_than_with_random_stealing() {
    long randomNanos = 0;
    long awareNanos = 0;
    for (int seed = 1; seed <= 3; seed++) {
      randomNanos += onReferenceNetwork(topology.nodes(), seed).nowNanos;
      awareNanos += onReferenceNetwork(ReferenceNetwork.SITE_SIZE, seed).nowNanos;
    }

    assertThat(awareNanos).isLessThan(randomNanos * 9 / 10);
  }

  /** Without sites, stealing is random. */
  private JobNetwork onReferenceNetwork(int siteSize, int seed) {
    int[] site =
        IntStream.range(0, topology.nodes()).map(i -> i / ReferenceNetwork.SITE_SIZE).toArray();
    JobNetwork network =
        new JobNetwork(site, (from, to) -> topology.rttMicros(from, to) * 1_000 / 2);
    network.bytes = new MessageBytes();
    network.workNanos = (node, work) -> 10 * MILLI;
    started(network, siteSize, seed);
    JobId job = network.nodes.get(0).runJob(Branch.sum(1, 7, -4));
    network.runUntilEnded(0, job);
    return network;
  }
}
