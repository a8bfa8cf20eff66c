package io.treecast.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.treecast.cli.cluster.Places;
import io.treecast.testkit.network.Topology;
import io.treecast.testkit.run.ScheduleReport;
import io.treecast.testkit.run.ScheduleRunner;
import io.treecast.testkit.schedule.Schedule;
import io.treecast.testkit.schedule.ScheduleFile;
import io.treecast.testkit.sim.SimCluster;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The report on a cluster that did not come to rest. */
class ScheduleReportTest {
  private final Topology two = Topology.of(2, List.of(new Topology.Link(0, 1, 1_000)));

  private final Places places = Places.ofNumbers(two, 4);

  private ScheduleReport atRest() throws Exception {
    Schedule schedule = ScheduleFile.read("test", new StringReader("1s rtt 0-1 2"));
    return ScheduleRunner.run(new SimCluster(two, 1), schedule);
  }

  private static ScheduleReport notAtRest(ScheduleReport report) {
    return new ScheduleReport(
        report.built(),
        report.buildTraffic(),
        report.events(),
        "node 7 waits",
        300_000,
        report.endMillis(),
        report.traffic(),
        report.trees(),
        report.broadcasts());
  }

  private String text(ScheduleReport report) {
    StringWriter text = new StringWriter();
    new ScheduleReportText(places, report).print(new PrintWriter(text), "real");
    return text.toString();
  }

  @Test
  void the_text_has_the_timeout_and_the_reason_of_the_wait() throws Exception {
    ScheduleReport report = atRest();

    assertThat(text(report)).contains("at rest ").doesNotContain("NOT AT REST");
    assertThat(text(notAtRest(report))).contains("NOT AT REST 300 s ").endsWith(": node 7 waits\n");
  }

  @Test
  void the_json_has_the_timeout_and_the_reason_of_the_wait() throws Exception {
    ObjectNode rested = new ScheduleReportJson(places, atRest()).toJson();
    assertThat(rested.get("atRest").booleanValue()).isTrue();
    assertThat(rested.get("notAtRest").isNull()).isTrue();

    ObjectNode restless = new ScheduleReportJson(places, notAtRest(atRest())).toJson();
    assertThat(restless.get("atRest").booleanValue()).isFalse();
    assertThat(restless.get("notAtRest").asString()).isEqualTo("node 7 waits");
    assertThat(restless.get("restBoundMillis").longValue()).isEqualTo(300_000);
  }
}
