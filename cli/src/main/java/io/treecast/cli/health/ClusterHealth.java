package io.treecast.cli.health;

import io.treecast.agent.core.contract.LinkState;
import io.treecast.cli.console.AgeText;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.AgentReport.LinkReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.MetricText;
import io.treecast.cli.tree.ClusterVerification;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The health of a cluster, from the answers of its members. Immutable.
 *
 * @param answers the answers of the members
 * @param verification the verification of their trees
 * @param absent the members in no tree, each with the milliseconds since any agent heard from it; 0
 *     if not known
 * @param problems the problems, a sentence for people each
 * @param notes useful facts that are not problems
 */
record ClusterHealth(
    ClusterInquiry.Answers answers,
    ClusterVerification verification,
    SortedMap<NodeId, Long> absent,
    List<String> problems,
    List<String> notes) {
  /** Limit of the links, members or seeds that are listed; further ones are counted. */
  private static final int MAX_NAMED = 12;

  static ClusterHealth of(ClusterInquiry.Answers answers) {
    ClusterVerification verification =
        ClusterVerification.of(answers.reports(), MetricText.LATENCY);
    SortedMap<NodeId, Long> absent = absent(answers, verification.trees());
    List<String> problems = new ArrayList<>(verification.disagreements());
    List<String> notes = new ArrayList<>();
    int trees = verification.trees().size();
    if (trees > 1) {
      problems.add("the cluster is split into " + trees + " trees");
    }
    if (!verification.difference().isMinimal()) {
      problems.add(
          "the tree is not the minimum spanning tree of the links; 'treecast tree verify' names the"
              + " edges");
    }
    List<String> silent = new ArrayList<>();
    for (ClusterInquiry.Unreachable s : answers.silent()) {
      if (!absent.containsKey(s.member().id())) {
        silent.add(s.toString());
      }
    }
    addNamed(problems, "a member of the tree does not answer: ", silent);
    List<String> away = new ArrayList<>();
    absent.forEach((id, millis) -> away.add(absence(id, millis)));
    addNamed(problems, "a member is in no tree: ", away);
    addNamed(problems, "a link is down: ", downLinks(answers.reports(), absent));
    for (AgentReport report : answers.reports()) {
      addSeeds(report, problems, notes);
      if (!report.refusal().isEmpty()) {
        notes.add(report.id() + " and another agent did not link " + report.refusalText());
      }
    }
    SortedMap<String, Integer> versions = count(answers, r -> r.selfReport().version());
    if (versions.size() > 1) {
      notes.add("members run " + versions.size() + " versions: " + text(versions));
    }
    return new ClusterHealth(
        answers, verification, absent, List.copyOf(problems), List.copyOf(notes));
  }

  private static void addNamed(List<String> lines, String what, List<String> names) {
    names.stream().limit(MAX_NAMED).forEach(name -> lines.add(what + name));
    if (names.size() > MAX_NAMED) {
      lines.add(what + "and " + (names.size() - MAX_NAMED) + " more");
    }
  }

  private static void addSeeds(AgentReport report, List<String> problems, List<String> notes) {
    List<String> unanswered = report.selfReport().unansweredSeeds();
    if (unanswered.isEmpty()) {
      return;
    }
    boolean isAlone = report.tree() == null || report.tree().members().size() == 1;
    if (report.selfReport().hasNoSeedAnswered() && isAlone) {
      problems.add(
          report.id()
              + " is alone, and has reached none of its seeds: "
              + named(unanswered)
              + "; correct seeds, and check that those agents run");
    } else {
      notes.add(report.id() + " has never reached " + named(unanswered));
    }
  }

  private static String named(List<String> names) {
    return String.join("; ", names.subList(0, Math.min(MAX_NAMED, names.size())))
        + (names.size() > MAX_NAMED ? "; and " + (names.size() - MAX_NAMED) + " more" : "");
  }

  private static String absence(NodeId id, long millis) {
    return millis == 0 ? id.toString() : id + ", absent " + AgeText.of(millis);
  }

  /** Returns the known members that are in no tree of an answering member. */
  private static SortedMap<NodeId, Long> absent(
      ClusterInquiry.Answers answers, List<CommittedTree> trees) {
    SortedMap<NodeId, Long> absent = new TreeMap<>();
    for (AgentReport report : answers.reports()) {
      for (LinkReport link : report.links()) {
        NodeId id = link.peer().id();
        if (trees.stream().noneMatch(tree -> tree.hasMember(id))) {
          absent.merge(id, link.absentMillis(), Math::max);
        }
      }
    }
    answers.reports().forEach(report -> absent.remove(report.id()));
    return absent;
  }

  private static List<String> downLinks(List<AgentReport> reports, SortedMap<NodeId, Long> absent) {
    TreeSet<String> down = new TreeSet<>();
    for (AgentReport report : reports) {
      for (LinkReport link : report.links()) {
        boolean isDown = link.state() == LinkState.SUSPENDED || link.state() == LinkState.NO_DATA;
        if (isDown && !absent.containsKey(link.peer().id())) {
          down.add(report.id() + "-" + link.peer().id() + " is " + link.stateText() + why(link));
        }
      }
    }
    return List.copyOf(down);
  }

  private static String why(LinkReport link) {
    return link.downText().isEmpty() ? "" : ", " + link.downText();
  }

  /** Returns the number of members for each value of an answer, without members that have none. */
  static SortedMap<String, Integer> count(
      ClusterInquiry.Answers answers, Function<AgentReport, @Nullable String> answer) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    for (AgentReport report : answers.reports()) {
      String value = answer.apply(report);
      if (value != null && !value.isEmpty()) {
        counts.merge(value, 1, Integer::sum);
      }
    }
    return counts;
  }

  /** Returns for example {@code east 2, west 1}. */
  static String text(SortedMap<String, Integer> counts) {
    List<String> texts = new ArrayList<>();
    counts.forEach((value, count) -> texts.add(value + " " + count));
    return String.join(", ", texts);
  }

  /** Returns for example {@code 2 of 3 members answered, in 1 tree}. */
  String membersText() {
    int asked = answers.reports().size();
    int silent = answers.silent().size();
    return asked
        + " of "
        + Plural.of(asked + silent, "member")
        + " answered, in "
        + Plural.of(verification.trees().size(), "tree");
  }

  boolean isGood() {
    return problems.isEmpty();
  }
}
