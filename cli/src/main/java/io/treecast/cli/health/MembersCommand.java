package io.treecast.cli.health;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.cli.console.AgeText;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.TextTable;
import io.treecast.cli.console.Timestamp;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.TreeJson;
import io.treecast.client.Selector;
import io.treecast.client.Treecast;
import io.treecast.ghs.NodeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast members}. */
@Command(
    name = "members",
    description = {
      "Lists all known members: id, address, site, version of the software, start of the agent, "
          + "state, and labels.",
      "The state is 'ready', 'not ready' with the reason, 'no answer' for a member of the tree, "
          + "or 'absent' for a member outside all trees. Ends with 0, or with 3 if a member did not "
          + "answer."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast members --agent 10.0.0.4:7700",
      "  treecast members --where 'gpu>=4, site=east'",
      "  treecast members --output json"
    })
public final class MembersCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of("id", "address", "site", "version", "since", "state", "labels");

  /** Timeout of the labels. */
  private static final int LABELS_SECONDS = 5;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--where",
      paramLabel = "SELECTOR",
      description =
          "Only members of the tree whose labels fulfil all terms: name, !name, or name=value, with"
              + " one of = != < <= > >=. 'id' stands for the node id.")
  private @Nullable String where;

  /** One row of the table; values are null if not known. */
  private record Row(
      Member member,
      @Nullable String site,
      @Nullable String version,
      @Nullable String since,
      String state,
      String reason,
      SortedMap<String, String> labels) {
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
          reason.isEmpty() ? state : state + ": " + reason,
          labels.isEmpty()
              ? "-"
              : labels.entrySet().stream()
                  .map(label -> label.getKey() + "=" + label.getValue())
                  .collect(Collectors.joining(", ")));
    }
  }

  @Override
  public Integer call() {
    Selector selector =
        CommandFailure.checked("--where", () -> where == null ? null : Selector.parse(where));
    ClusterInquiry.Answers answers;
    Map<String, SortedMap<String, String>> labels = new HashMap<>();
    try (AgentInquiry agents = agent.inquiry(output)) {
      answers = ClusterInquiry.of(agents);
      for (io.treecast.client.Member member : labelled(agents, selector)) {
        labels.put(member.id(), withoutSite(member.labels()));
      }
    }
    List<Row> rows = rows(ClusterHealth.of(answers), labels, Instant.now());
    if (selector != null) {
      rows.removeIf(row -> !labels.containsKey(row.member.id().toString()));
    }
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

  /**
   * Returns the members of the tree that a selector selects, with their labels. Without a selector,
   * returns an empty list if the labels are not known.
   */
  private List<io.treecast.client.Member> labelled(
      AgentInquiry agents, @Nullable Selector selector) {
    try (Treecast treecast = agents.client().connect()) {
      return treecast
          .members()
          .select(selector == null ? Selector.all() : selector)
          .orTimeout(LABELS_SECONDS, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException e) {
      String why =
          e.getCause() instanceof TimeoutException
              ? "the agent has no tree"
              : String.valueOf(e.getCause());
      if (selector != null) {
        throw CommandFailure.failed("--where: the labels are not known: " + why);
      }
      output.note("the labels are not known: " + why);
      return List.of();
    }
  }

  /** Returns the labels without the site, which has its own column. */
  private static SortedMap<String, String> withoutSite(SortedMap<String, String> labels) {
    SortedMap<String, String> others = new TreeMap<>(labels);
    others.remove(io.treecast.client.Member.SITE);
    return others;
  }

  private static List<Row> rows(
      ClusterHealth health, Map<String, SortedMap<String, String>> labels, Instant now) {
    List<Row> rows = new ArrayList<>();
    for (AgentReport report : health.answers().reports()) {
      String version = report.selfReport().version();
      rows.add(
          new Row(
              report.self(),
              report.site(),
              version.isEmpty() ? null : version,
              Timestamp.of(now.minusMillis(report.selfReport().upMillis())),
              report.ready() ? "ready" : "not ready",
              report.notReadyReason(),
              labelsOf(labels, report.self())));
    }
    for (ClusterInquiry.Unreachable silent : health.answers().silent()) {
      NodeId id = silent.member().id();
      Long absent = health.absent().get(id);
      String state =
          absent == null
              ? "no answer"
              : absent == 0 ? "absent" : "absent for " + AgeText.of(absent);
      rows.add(
          new Row(
              silent.member(),
              site(health, id),
              null,
              null,
              state,
              silent.reason(),
              labelsOf(labels, silent.member())));
    }
    rows.sort(Comparator.comparing(row -> row.member.id()));
    return rows;
  }

  private static SortedMap<String, String> labelsOf(
      Map<String, SortedMap<String, String>> labels, Member member) {
    return labels.getOrDefault(member.id().toString(), Collections.emptySortedMap());
  }

  /** Returns the site of a member as others report it; null if not known. */
  private static @Nullable String site(ClusterHealth health, NodeId id) {
    return health.answers().reports().stream()
        .map(report -> report.sites().get(id))
        .filter(site -> site != null)
        .findFirst()
        .orElse(null);
  }

  private static void add(ObjectNode json, Row row) {
    json.put("node", row.member.id().toString())
        .put("address", NetworkAddresses.primary(row.member.address()))
        .put("site", row.site)
        .put("version", row.version)
        .put("since", row.since)
        .put("state", row.state)
        .put("reason", row.reason);
    ObjectNode networks = json.putObject("networks");
    if (row.member.address().indexOf('=') >= 0) {
      NetworkAddresses.byNetwork(row.member.address()).forEach(networks::put);
    }
    ObjectNode labels = json.putObject("labels");
    row.labels.forEach(labels::put);
  }
}
