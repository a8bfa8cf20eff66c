package io.treecast.cli.links;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.Plural;
import io.treecast.cli.console.TableOutputOption;
import io.treecast.cli.output.Terminal;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.TreeJson;
import io.treecast.monitor.series.SeriesPoint;
import io.treecast.monitor.series.SeriesResource;
import io.treecast.testkit.schedule.ScheduleTime;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast series}. */
@Command(
    name = "series",
    description = {
      "Shows measurements of a link over time. The end with the lower node id "
          + "measures, and stores them if it was started with --series DIRECTORY."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast series h1-h2",
      "  treecast series h1-h2 --resource rtt --since 30m --output csv",
      "  treecast series h1-h2 --resource throughput --since 12h"
    })
public final class SeriesCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private TableOutputOption output = new TableOutputOption();

  @Parameters(
      index = "0",
      paramLabel = "A-B",
      description = "The link, by the node ids of its ends, as in h1-h2.")
  private String link = "";

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      defaultValue = "rtt",
      description = "The quantity: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private SeriesResource resource = SeriesResource.RTT;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      defaultValue = "1h",
      description =
          "Age of the oldest measurement, as in 90s, 30m or 12h; default: " + "${DEFAULT-VALUE}.")
  private String since = "1h";

  @Override
  public Integer call() {
    MemberDirectory.checkForm(link);
    long beginMillis = Instant.now().toEpochMilli() - sinceMillis();
    try (AgentInquiry agents = agent.inquiry(output)) {
      print(agents, beginMillis);
    }
    return ExitCode.OK;
  }

  private void print(AgentInquiry agents, long beginMillis) {
    MemberDirectory.Link ends = new MemberDirectory(agents).link(link);
    boolean inOrder = ends.from().id().compareTo(ends.to().id()) < 0;
    Member owner = inOrder ? ends.from() : ends.to();
    Member peer = inOrder ? ends.to() : ends.from();
    List<SeriesPoint> points = agents.series(owner, peer.id(), resource, beginMillis);
    switch (output.format()) {
      case JSON -> output.println(json(owner, peer, points));
      case CSV -> printCsv(points);
      case TEXT -> printText(owner.id() + "-" + peer.id(), points);
    }
  }

  private long sinceMillis() {
    try {
      long millis = ScheduleTime.millis(since);
      if (millis == 0) {
        throw CommandFailure.usage("--since: '" + since + "' is not allowed; the least is 1ms");
      }
      return millis;
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("--since: " + e.getMessage());
    }
  }

  private ObjectNode json(Member owner, Member peer, List<SeriesPoint> points) {
    ObjectNode json =
        TreeJson.object()
            .put("from", owner.id().toString())
            .put("to", peer.id().toString())
            .put("resource", resource.label());
    SeriesUnit unit = SeriesUnit.of(resource);
    ArrayNode array = json.putArray("points");
    for (SeriesPoint point : points) {
      array.addObject().put("time", time(point)).put(unit.key(resource), unit.value(point.value()));
    }
    return json;
  }

  private void printCsv(List<SeriesPoint> points) {
    SeriesUnit unit = SeriesUnit.of(resource);
    output.println("time," + unit.key(resource));
    for (SeriesPoint point : points) {
      output.out().printf(Locale.ROOT, "%s,%s%n", time(point), unit.exact(point.value()));
    }
    output.out().flush();
  }

  private void printText(String name, List<SeriesPoint> points) {
    if (points.isEmpty()) {
      output.println(
          "no measurements of %s in the last %s; 'treecast links' shows the state of the link"
              .formatted(name, since));
      return;
    }
    SeriesUnit unit = SeriesUnit.of(resource);
    long[] sorted = points.stream().mapToLong(SeriesPoint::value).sorted().toArray();
    SeriesPoint last = points.get(points.size() - 1);
    output.println(Sparkline.of(points, Terminal.charset()));
    output.println(
        String.format(
            Locale.ROOT,
            "%s of %s: %s, %s to %s; least %s, median %s, greatest %s, last %s %s",
            resource,
            name,
            Plural.of(points.size(), "point"),
            time(points.get(0)),
            time(last),
            unit.text(sorted[0]),
            unit.text(Median.ofSorted(sorted)),
            unit.text(sorted[sorted.length - 1]),
            unit.text(last.value()),
            unit.label()));
  }

  private static String time(SeriesPoint point) {
    return Instant.ofEpochMilli(point.unixMillis()).toString();
  }
}
