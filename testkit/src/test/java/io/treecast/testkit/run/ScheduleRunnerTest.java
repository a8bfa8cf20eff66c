package io.treecast.testkit.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.mst.ChangeCause;
import io.treecast.testkit.network.ReferenceNetwork;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.sim.SimCluster;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScheduleRunnerTest {
  private static ScheduleReport run(String... lines) throws IOException {
    return run(ScheduleFile.read("test", new StringReader(String.join("\n", lines))));
  }

  private static ScheduleReport run(Schedule schedule) throws IOException {
    Topology network = ReferenceNetwork.topology();
    Topology start = schedule.checkedFor(network).startOn(network);
    return ScheduleRunner.run(new SimCluster(start, 1), schedule);
  }

  @Test
  void an_event_reports_what_follows_it_until_the_next() throws IOException {
    ScheduleReport report =
        run("10s down 12-20", "12s broadcast 12 24B", "40s down 12-13", "70s loss 0-1 5%");

    assertThat(report.passed()).as("%s", report.trees().problems()).isTrue();
    EventReport cut = report.events().get(0);
    assertThat(cut.at()).isEqualTo("10s");
    assertThat(cut.event()).isEqualTo("down 12-20");
    assertThat(cut.causes()).containsExactly(ChangeCause.TREE_LINK_LOST);
    assertThat(cut.versionAfter()).isEqualTo(cut.versionBefore() + 1);
    assertThat(cut.removed()).singleElement().hasToString("12-20@35100us");
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
    ScheduleReport report = run("10s crash 7", "11s broadcast 7 24B");

    assertThat(report.events().get(1).skipped()).isEqualTo("node 7 does not run");
    assertThat(report.broadcasts().published()).isZero();
  }

  @Test
  void each_side_of_a_partition_has_its_own_tree() throws IOException {
    ScheduleReport report = run("10s partition 0-11 | 12-23");

    assertThat(report.trees().components()).hasSize(2).allMatch(component -> component.minimal());
    assertThat(report.passed()).isTrue();
  }

  @Test
  void the_same_schedule_and_seed_give_the_same_report() throws IOException {
    String[] schedule = {"10s crash 4", "11s loss 0-16 20%", "20s restart 4", "30s loss 0-16 0%"};

    assertThat(run(schedule)).hasToString(run(schedule).toString());
  }

  static List<Path> publishedSets() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../schedules"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("publishedSets")
  void in_each_published_change_set_trees_are_minimal_and_no_broadcast_is_lost(Path file)
      throws IOException {
    ScheduleReport report = run(ScheduleFile.read(file));

    assertThat(report.atRest()).isTrue();
    assertThat(report.trees().problems()).isEmpty();
    assertThat(report.broadcasts().lost()).isEmpty();
    assertThat(report.broadcasts().duplicated()).isZero();
    assertThat(report.events()).allMatch(event -> event.skipped() == null);
  }
}
