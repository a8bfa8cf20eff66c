package io.treecast.cli.health;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.AgeText;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.TextTable;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.TreeJson;
import io.treecast.ghs.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast members}. */
@Command(
    name = "members",
    description = {
      "Lists all members that the agents know: id, address, site, version of the software, since when the agent runs, and"
          + " state.",
      "The state is 'ready', 'not ready' with the reason, 'no answer' of a member of the tree, or 'absent' of one that is in no"
          + " tree. Ends with 0, or with 3 if a member did not answer."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast members --agent 10.0.0.4:7700",
      "  treecast members --output json"
    })
public final class MembersCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of("id", "address", "site", "version", "since", "state");

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  /** One row; null where it is not known. */
  private record Row(
      Member member,
      @Nullable String site,
      @Nullable String version,
      @Nullable String since,
      String state,
      String reason) {
    private static String orDash(@Nullable String text) {
      return text == null ? "-" : text;
    }

    List<String> cells() {
      return List.of(
          member.id().toString(),
          member.address(),
          orDash(site),
          orDash(version),
          orDash(since),
          reason.isEmpty() ? state : state + ": " + reason);
    }
  }

  @Override
  public Integer call() {
    ClusterInquiry.Answers answers;
    try (AgentInquiry agents = agent.inquiry(output)) {
      answers = ClusterInquiry.of(agents);
    }
    List<Row> rows = rows(ClusterHealth.of(answers), Instant.now());
    if (output.isJson()) {
      ObjectNode json = TreeJson.object();
      ArrayNode members = json.putArray("members");
      rows.forEach(row -> add(members.addObject(), row));
      output.println(json);
    } else {
      TextTable table = new TextTable(Set.of(), HEADER);
      rows.forEach(row -> table.add(row.cells()));
      table.lines().forEach(output::println);
    }
    return answers.silent().isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private static List<Row> rows(ClusterHealth health, Instant now) {
    List<Row> rows = new ArrayList<>();
    for (AgentReport report : health.answers().reports()) {
      String version = report.life().version();
      rows.add(
          new Row(
              report.self(),
              report.site(),
              version.isEmpty() ? null : version,
              Timestamp.of(now.minusMillis(report.life().upMillis())),
              report.ready() ? "ready" : "not ready",
              report.notReadyReason()));
    }
    for (ClusterInquiry.Silent silent : health.answers().silent()) {
      NodeId id = silent.member().id();
      Long absent = health.absent().get(id);
      String state =
          absent == null
              ? "no answer"
              : absent == 0 ? "absent" : "absent for " + AgeText.of(absent);
      rows.add(new Row(silent.member(), site(health, id), null, null, state, silent.reason()));
    }
    rows.sort(Comparator.comparing(row -> row.member.id()));
    return rows;
  }

  /** As others tell it. */
  private static @Nullable String site(ClusterHealth health, NodeId id) {
    return health.answers().reports().stream()
        .map(report -> report.sites().get(id))
        .filter(site -> site != null)
        .findFirst()
        .orElse(null);
  }

  private static void add(ObjectNode json, Row row) {
    json.put("node", row.member.id().toString())
        .put("address", row.member.address())
        .put("site", row.site)
        .put("version", row.version)
        .put("since", row.since)
        .put("state", row.state)
        .put("reason", row.reason);
  }
}
