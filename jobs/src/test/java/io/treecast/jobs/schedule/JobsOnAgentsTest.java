package io.treecast.jobs.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.testkit.junit.TestNetwork;
import io.treecast.testkit.network.NodeGroup;
import io.treecast.testkit.sim.network.DataTraffic;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs of members at simulated agents, in two sites of four. */
@Tag("seeded")
class JobsOnAgentsTest {
  private static final int MEMBERS = 8;
  private static final int SITE = 4;

  /** One, and nightly two more. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Math.min(3, Long.getLong("treecast.seeds.times", 1)));
  }

  private static JobsOnAgents started(long seed) {
    JobsOnAgents jobs =
        new JobsOnAgents(TestNetwork.SITES.of(MEMBERS, seed), seed, node -> "site " + node / SITE);
    assertThat(jobs.start()).isTrue();
    return jobs;
  }

  private static void assertEnds(JobsOnAgents jobs, JobId job, Branch task) {
    assertThat(jobs.runUntil(() -> jobs.node(0).outcomes.containsKey(job), 300_000)).isTrue();
    assertThat(jobs.node(0).outcomes.get(job)).isEqualTo(Outcome.of(task.result()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void all_members_take_part_and_are_silent_when_the_job_is_over(long seed) {
    JobsOnAgents jobs = started(seed);
    Branch task = Branch.sum(seed, 5, -4);
    assertEnds(jobs, jobs.node(0).run(task), task);

    assertThat(IntStream.range(0, MEMBERS).mapToObj(jobs::node))
        .allSatisfy(node -> assertThat(node.counts().solved()).isPositive());
    assertThat(
            jobs.runUntil(
                () -> IntStream.range(0, MEMBERS).mapToObj(jobs::node).allMatch(n -> n.isAtRest()),
                60_000))
        .isTrue();
    jobs.runUntil(() -> false, 5_000);
    long before = messages(jobs);
    jobs.runUntil(() -> false, 30_000);
    assertThat(messages(jobs)).isEqualTo(before);
  }

  /** Returns how many messages of broadcasts were sent. */
  private static long messages(JobsOnAgents jobs) {
    SortedMap<String, DataTraffic> traffic = jobs.cluster.dataTraffic();
    return Set.of("Data", "Interest").stream()
        .mapToLong(type -> traffic.getOrDefault(type, DataTraffic.NONE).messages())
        .sum();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tasks_of_members_that_crash_or_are_cut_off_run_again(long seed) {
    JobsOnAgents jobs = started(seed);
    Branch task = Branch.sum(seed, 6, -4);
    JobId job = jobs.node(0).run(task);
    assertThat(jobs.runUntil(() -> jobs.node(7).counts().solved() > 0, 60_000)).isTrue();

    jobs.crash(7);
    jobs.runUntil(() -> false, 2_000);
    jobs.cluster.links().partition(NodeGroup.range(0, 4), NodeGroup.range(5, 6));
    jobs.runUntil(() -> false, 30_000);
    jobs.cluster.links().heal();

    assertEnds(jobs, job, task);
  }
}
