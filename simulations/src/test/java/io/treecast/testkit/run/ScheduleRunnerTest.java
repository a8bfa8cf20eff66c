package io.treecast.testkit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.treecast.monitor.weight.SignificancePolicy;
import io.treecast.mst.ChangeCause;
import io.treecast.testkit.cluster.Cluster;
import io.treecast.testkit.cluster.ControlTraffic;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.network.Topology.Link;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.schedule.Thresholds;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Order(2)
class ScheduleRunnerTest {
  private static final int MEMBERS = 24;

  private static ScheduleReport run(String... lines) throws IOException {
    return run(ScheduleFile.read("test", new StringReader(String.join("\n", lines))));
  }

  /** Two sites of three nodes, for rules that depend on no network. */
  private static Topology small() {
    List<Link> links = new ArrayList<>();
    for (int high = 1; high < 6; high++) {
      for (int low = 0; low < high; low++) {
        links.add(Link.between(low, high, (low / 3 == high / 3 ? 1_000 : 40_000) + high));
      }
    }
    return Topology.of(6, links);
  }

  private static ScheduleReport runSmall(String... lines) throws IOException {
    Schedule schedule = ScheduleFile.read("test", new StringReader(String.join("\n", lines)));
    return ScheduleRunner.run(new SimCluster(small(), 1), schedule.checkedFor(small()));
  }

  private static ScheduleReport run(Schedule schedule) throws IOException {
    Topology network = ReferenceNetwork.topology();
    Topology start = schedule.checkedFor(network).startOn(network);
    return ScheduleRunner.run(
        SimCluster.judging(start, 1, schedule.thresholds()::applyTo), schedule);
  }

  @Test
  void an_event_reports_its_consequences_until_the_next() throws IOException {
    ScheduleReport report =
        run("10s down 12-20", "12s broadcast 12 24B", "40s down 12-13", "70s loss 0-1 5%");

    assertThat(report.passed()).as("%s", report.trees().problems()).isTrue();
    EventReport cut = report.events().get(0);
    assertThat(cut.at()).isEqualTo("10s");
    assertThat(cut.event()).isEqualTo("down 12-20");
    assertThat(cut.causes()).containsExactly(ChangeCause.TREE_LINK_LOST);
    assertThat(cut.versionAfter()).isEqualTo(cut.versionBefore() + 1);
    assertThat(cut.removed()).singleElement().hasToString("12-20@35100");
    assertThat(cut.added()).hasSize(1);
    assertThat(cut.traffic().count()).isBetween(1L, 96L);
    assertThat(cut.detectMillis()).isBetween(0.0, 3_000.0);
    assertThat(cut.firstCommitMillis()).isGreaterThan(cut.detectMillis());
    assertThat(cut.lastCommitMillis()).isBetween(cut.firstCommitMillis(), 5_000.0);
    EventReport none = report.events().get(3);
    assertThat(none.traffic().count()).isZero();
    assertThat(none.firstCommitMillis()).isNull();
    assertThat(report.traffic().count())
        .isEqualTo(
            report.buildTraffic().count()
                + report.events().stream().mapToLong(event -> event.traffic().count()).sum());
  }

  @Test
  void a_broadcast_of_a_node_that_does_not_run_is_skipped_with_the_reason() throws IOException {
    ScheduleReport report = runSmall("10s crash 4", "11s broadcast 4 24B");

    assertThat(report.events().get(1).skipped()).contains("node 4");
    assertThat(report.broadcasts().published()).isZero();
  }

  @Test
  void each_side_of_a_partition_has_its_own_tree() throws IOException {
    ScheduleReport report = runSmall("10s partition 0-2 | 3-5");

    assertThat(report.trees().components()).hasSize(2).allMatch(component -> component.minimal());
    assertThat(report.passed()).isTrue();
  }

  @Test
  void the_same_schedule_and_seed_give_the_same_report() throws IOException {
    String[] schedule = {"10s crash 4", "11s loss 0-3 20%", "20s restart 4", "30s loss 0-3 0%"};

    assertThat(runSmall(schedule)).hasToString(runSmall(schedule).toString());
  }

  /** Returns the cluster with a shorter timeout, as in real time. */
  private static Cluster withPatience(long millis, Cluster cluster) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, args) ->
                method.getName().equals("patienceMillis") ? millis : method.invoke(cluster, args));
  }

  @Test
  void rest_is_not_waited_for_beyond_the_patience_of_the_cluster_and_the_report_says_why()
      throws IOException {
    Schedule schedule = ScheduleFile.read("test", new StringReader("10s down 0-1"));
    Cluster cluster = new SimCluster(small(), 1);

    // Less than the quiet time of a cluster at rest.
    ScheduleReport report = ScheduleRunner.run(withPatience(15_000, cluster), schedule);

    assertThat(report.atRest()).isFalse();
    assertThat(report.passed()).isFalse();
    assertThat(report.restBoundMillis()).isEqualTo(15_000);
    assertThat(report.notAtRest()).isNotBlank();
    assertThat(report.endMillis()).isBetween(24_999.0, 26_000.0);
  }

  @Test
  void a_run_in_real_time_reports_stages_events_and_its_waits() throws IOException {
    Schedule schedule = ScheduleFile.read("test", new StringReader("10s down 0-1\n11s up 0-1"));
    Cluster cluster = withPatience(15_000, new SimCluster(small(), 1));
    List<String> progress = new ArrayList<>();

    ScheduleReport report =
        ScheduleRunner.run(cluster, schedule, (line, leftMillis) -> progress.add(line));

    assertThat(progress).hasSize(6);
    assertThat(progress.get(0)).contains("15 s");
    assertThat(progress.subList(2, 4))
        .containsExactly("event 1 of 2: down 0-1", "event 2 of 2: up 0-1");
    assertThat(progress.get(4)).contains("15 s");
    assertThat(progress.get(5)).endsWith(": " + report.notAtRest());
  }

  @Test
  void the_first_tree_is_not_waited_for_beyond_the_patience_of_the_cluster() throws IOException {
    Schedule schedule = ScheduleFile.read("test", new StringReader("10s down 0-1"));
    Cluster cluster = withPatience(1_000, new SimCluster(small(), 1));

    assertThatThrownBy(() -> ScheduleRunner.run(cluster, schedule))
        .hasMessageContainingAll("1 s", "agent ");
    assertThat(cluster.nowNanos()).isLessThan(2_000_000_000L);
  }

  /** With the agents' own thresholds, which include the cost of a change. */
  @Test
  void the_first_tree_and_the_four_changes_of_set_e_take_at_most_650_messages() throws IOException {
    Thresholds own =
        new Thresholds(
            BigDecimal.valueOf(20),
            BigDecimal.ONE,
            BigDecimal.valueOf(50),
            BigDecimal.valueOf(100));
    Schedule schedule = ScheduleFile.read(Path.of("../schedules/set-E.txt")).with(own);
    assertThat(own.applyTo(SignificancePolicy.DEFAULT)).isEqualTo(SignificancePolicy.DEFAULT);

    assertThat(run(schedule).traffic().count()).isBetween(1L, 650L);
  }

  /** The crash may occur before the owners of new edges have announced the cost of the change. */
  @ParameterizedTest
  @ValueSource(ints = 6)
  void a_crash_soon_after_a_restart_takes_one_change(int seconds) throws IOException {
    ScheduleReport report =
        run("30s crash 4", "60s restart 4", 60 + seconds + "s crash 4", "120s loss 0-1 5%");

    EventReport crash = report.events().get(2);
    assertThat(crash.versionAfter()).isEqualTo(crash.versionBefore() + 1);
    assertThat(crash.causes()).containsExactly(ChangeCause.TREE_LINK_LOST);
    assertThat(crash.traffic().count()).isBetween(1L, 117L);
    assertThat(report.trees().minimal()).isTrue();
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(ints = {5, 7, 8, 11, 14})
  void a_crash_at_another_time_after_a_restart_takes_one_change(int seconds) throws IOException {
    a_crash_soon_after_a_restart_takes_one_change(seconds);
  }

  /** It waits for the frozen one, and a fragment's lightest link may lead to it meanwhile. */
  @Test
  void an_agent_that_starts_while_another_is_frozen_does_not_delay_the_repair() throws IOException {
    ScheduleReport report = run("20s pause 7", "30s crash 3", "60s restart 3", "63s crash 0");

    Double last = report.events().get(3).lastCommitMillis();
    assertThat(last).isBetween(0.0, 4_000.0);
  }

  /** The far ends of its links notice the crash up to 350 ms after its neighbours in the tree. */
  @ParameterizedTest
  @ValueSource(ints = {4, 23})
  void a_crash_takes_at_most_four_messages_for_each_member_or_six_inside_the_tree(int node)
      throws IOException {
    ScheduleReport report = run("10s crash " + node);

    EventReport crash = report.events().get(0);
    boolean isLeaf = crash.added().isEmpty();
    assertThat(crash.removed()).isNotEmpty();
    assertThat(crash.traffic().count()).isBetween(1L, isLeaf ? 4L * MEMBERS : 6L * MEMBERS);
    assertThat(report.trees().minimal()).isTrue();
  }

  @ParameterizedTest
  @Tag("nightly")
  @MethodSource("members")
  void the_crash_of_any_member_takes_as_few_messages(int node) throws IOException {
    a_crash_takes_at_most_four_messages_for_each_member_or_six_inside_the_tree(node);
  }

  /** Its links all end silently; only edges are probed twice a second. */
  @ParameterizedTest
  @CsvSource({"partition 0-3 | 4-23, 5000", "pause 12, 6500"})
  void a_site_or_an_agent_that_falls_silent_is_out_of_the_tree_within_seconds(
      String event, double mostMillis) throws IOException {
    ScheduleReport report = run("60s " + event, "90s broadcast 20 24B");

    assertThat(report.events().get(0).causes()).containsExactly(ChangeCause.TREE_LINK_LOST);
    assertThat(report.events().get(0).firstCommitMillis()).isBetween(2_000.0, mostMillis);
  }

  @ParameterizedTest
  @Tag("nightly")
  @CsvSource("pause 4, 6500")
  void another_agent_that_falls_silent_is_out_of_the_tree_within_seconds(
      String event, double mostMillis) throws IOException {
    a_site_or_an_agent_that_falls_silent_is_out_of_the_tree_within_seconds(event, mostMillis);
  }

  static IntStream members() {
    return IntStream.range(0, MEMBERS);
  }

  @Test
  void handshakes_are_counted_apart_and_a_first_weight_is_not_a_control_message()
      throws IOException {
    ScheduleReport report = runSmall("10s down 0-1", "30s up 0-1");

    ControlTraffic build = report.buildTraffic();
    assertThat(build.counted().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(build.count());
    ControlTraffic healed = report.events().get(1).traffic();
    assertThat(healed.handshakeMessages()).isEqualTo(2);
    assertThat(healed.messages()).doesNotContainKey("WeightUpdate");
  }
}
