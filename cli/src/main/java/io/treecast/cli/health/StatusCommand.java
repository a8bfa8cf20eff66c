package io.treecast.cli.health;

import io.treecast.cli.console.AgeText;
import io.treecast.cli.console.ColorOption;
import io.treecast.cli.console.ColorOption.Mark;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ChangeText;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.TreeJson;
import io.treecast.cli.query.TreeText;
import io.treecast.cli.tree.TreeDiameter;
import io.treecast.mst.CommittedTree;
import io.treecast.proto.v1.TreeChange;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast status}. */
@Command(
    name = "status",
    description = {
      "Prints the health of the cluster in about ten lines: which members answer, the tree of the agent (version, weight, diameter,"
          + " last change), versions, sites, absent members, seeds, and problems.",
      "Asks all members, and asks again for some seconds while something is wrong: the tree may change between the answers.",
      "Ends with 0 if nothing is wrong, else with 1."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast status --agent 10.0.0.4:7700",
      "  treecast status --output json"
    })
public final class StatusCommand implements Callable<Integer> {
  /** Attempts until problems are reported, since the tree may change between answers. */
  private static final int ATTEMPTS = 3;

  private static final long PAUSE_MILLIS = 500;

  /** Limit of the problems in the text. */
  private static final int MAX_PROBLEM_LINES = 8;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private ColorOption color = new ColorOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws InterruptedException {
    try (AgentInquiry agents = agent.inquiry(output)) {
      AgentReport asked = agents.report();
      ClusterHealth health = ClusterHealth.of(ClusterInquiry.of(agents));
      for (int more = ATTEMPTS - 1; more > 0 && !health.isGood(); more--) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        asked = agents.report();
        health = ClusterHealth.of(ClusterInquiry.of(agents));
      }
      if (output.isJson()) {
        output.println(json(asked, health));
      } else {
        print(asked, health);
      }
      return health.isGood() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private void print(AgentReport asked, ClusterHealth health) {
    line("agent", agent(asked));
    line("members", health.membersText());
    CommittedTree tree = asked.tree();
    TreeChange change = asked.selfReport().lastChange();
    if (tree == null) {
      line("tree", asked.notReadyReason());
    } else {
      line("tree", TreeText.of(tree));
      line("diameter", TreeDiameter.of(tree.edges()).text());
    }
    if (change != null) {
      line(
          "last change",
          AgeText.of(asked.selfReport().treeAgeMillis())
              + " ago: "
              + ChangeText.of(
                  change.getCausesList(), change.getDurationMicros(), change.getMessagesSent()));
    }
    ClusterInquiry.Answers answers = health.answers();
    line(
        "versions",
        orNone(ClusterHealth.count(answers, r -> r.selfReport().version()), "not known"));
    line("sites", orNone(ClusterHealth.count(answers, AgentReport::site), "none configured"));
    line("absent", health.absent().isEmpty() ? "no member" : joined(health));
    line("seeds", seeds(asked));
    if (health.isGood()) {
      line("health", color.paint(Mark.GOOD, "good: " + minimal(health)));
    } else {
      line("health", color.paint(Mark.BAD, Plural.of(health.problems().size(), "problem")));
    }
    List<String> problems = health.problems();
    problems.stream()
        .limit(MAX_PROBLEM_LINES)
        .forEach(problem -> output.println("  " + color.paint(Mark.BAD, "wrong: ") + problem));
    if (problems.size() > MAX_PROBLEM_LINES) {
      output.println(
          "  and "
              + Plural.of(problems.size() - MAX_PROBLEM_LINES, "more problem")
              + ", all with --output json");
    }
    health
        .notes()
        .forEach(note -> output.println("  " + color.paint(Mark.DOUBTFUL, "note: ") + note));
  }

  private static String agent(AgentReport asked) {
    return asked.id()
        + (asked.site() == null ? "" : ", site " + asked.site())
        + ", up for "
        + AgeText.of(asked.selfReport().upMillis())
        + (asked.ready() ? ", ready" : ", not ready: " + asked.notReadyReason());
  }

  private static String joined(ClusterHealth health) {
    StringBuilder text = new StringBuilder();
    health
        .absent()
        .forEach(
            (id, millis) ->
                text.append(text.isEmpty() ? "" : ", ")
                    .append(id)
                    .append(millis == 0 ? "" : " for " + AgeText.of(millis)));
    return text.toString();
  }

  private static String seeds(AgentReport asked) {
    int seeds = asked.selfReport().seeds();
    int unanswered = asked.selfReport().unansweredSeeds().size();
    if (seeds == 0) {
      return "none; the agent waits for others to dial it";
    }
    return Plural.of(seeds - unanswered, "answer") + " from " + Plural.of(seeds, "seed");
  }

  private static String minimal(ClusterHealth health) {
    return "the tree is the minimum spanning tree of "
        + Plural.of(health.verification().links().size(), "link");
  }

  private static String orNone(SortedMap<String, Integer> counts, String none) {
    return counts.isEmpty() ? none : ClusterHealth.text(counts);
  }

  private void line(String name, String value) {
    output.println(String.format("%-13s%s", name, value));
  }

  private static ObjectNode json(AgentReport asked, ClusterHealth health) {
    ObjectNode json =
        TreeJson.object()
            .put("node", asked.id().toString())
            .put("good", health.isGood())
            .put("ready", asked.ready())
            .put("reason", asked.notReadyReason())
            .put("upMillis", asked.selfReport().upMillis())
            .put("answered", health.answers().reports().size())
            .put("unanswered", health.answers().silent().size())
            .put("trees", health.verification().trees().size())
            .put("minimal", health.verification().difference().isMinimal());
    CommittedTree tree = asked.tree();
    if (tree != null) {
      TreeDiameter diameter = TreeDiameter.of(tree.edges());
      json.put("version", tree.version())
          .put("root", tree.root().toString())
          .put("edges", tree.edges().size())
          .put("weightMillis", TreeJson.millis(tree.weightMicros()))
          .put("diameterEdges", diameter.edges())
          .put("diameterMillis", TreeJson.millis(diameter.micros()))
          .put("treeAgeMillis", asked.selfReport().treeAgeMillis());
    }
    TreeChange change = asked.selfReport().lastChange();
    if (change != null) {
      ArrayNode causes = json.putArray("causes");
      change.getCausesList().forEach(causes::add);
    }
    ObjectNode versions = json.putObject("versions");
    ClusterHealth.count(health.answers(), r -> r.selfReport().version()).forEach(versions::put);
    ObjectNode sites = json.putObject("sites");
    ClusterHealth.count(health.answers(), AgentReport::site).forEach(sites::put);
    ObjectNode absent = json.putObject("absentMillis");
    health.absent().forEach((id, millis) -> absent.put(id.toString(), millis));
    json.put("seeds", asked.selfReport().seeds());
    ArrayNode unanswered = json.putArray("unansweredSeeds");
    asked.selfReport().unansweredSeeds().forEach(unanswered::add);
    ArrayNode problems = json.putArray("problems");
    health.problems().forEach(problems::add);
    ArrayNode notes = json.putArray("notes");
    health.notes().forEach(notes::add);
    return json;
  }
}
