package io.treecast.cli.health;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.TextTable;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.cli.query.ClusterInquiry;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.TopicUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast topics}. */
@Command(
    name = "topics",
    description = {
      "Lists the topics that are in use in the cluster: the number of subscriptions, their "
          + "members, and the members that have published. The default topic, which every member "
          + "gets, is shown as (default).",
      "Asks all members. Ends with 0, or with 3 if a member did not answer."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast topics --agent 10.0.0.4:7700"})
public final class TopicsCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of("topic", "subscriptions", "subscribed at", "published at");
  private static final Set<Integer> NUMBERS = Set.of(1);

  /** Limit of the members in a line; further ones are counted. */
  private static final int MAX_NAMED = 8;

  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  /** The use of one topic at all members. */
  private static final class Use {
    private long subscriptions;
    private final SortedSet<String> subscribedAt = new TreeSet<>();
    private final SortedSet<String> publishedAt = new TreeSet<>();

    void add(Member member, TopicUse there) {
      subscriptions += there.getSubscriptions();
      if (there.getSubscriptions() > 0) {
        subscribedAt.add(member.id().toString());
      }
      if (there.getPublished()) {
        publishedAt.add(member.id().toString());
      }
    }

    boolean isNone() {
      return subscribedAt.isEmpty() && publishedAt.isEmpty();
    }
  }

  @Override
  public Integer call() {
    SortedMap<String, Use> topics = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    try (AgentInquiry agents = agent.inquiry(output)) {
      ClusterInquiry.Answers answers = ClusterInquiry.of(agents);
      answers.silent().forEach(member -> silent.add(member.toString()));
      for (AgentReport report : answers.reports()) {
        Member member = report.self();
        try {
          for (TopicUse there : agents.topics(member)) {
            topics.computeIfAbsent(there.getTopic(), name -> new Use()).add(member, there);
          }
        } catch (AgentInquiry.FailedException e) {
          silent.add(new ClusterInquiry.Unreachable(member, e.reason()).toString());
        }
      }
    }
    topics.values().removeIf(Use::isNone);
    if (output.isJson()) {
      output.println(json(topics));
    } else if (topics.isEmpty()) {
      output.println("no topic is in use");
    } else {
      TextTable table = new TextTable(NUMBERS, HEADER);
      topics.forEach(
          (name, use) ->
              table.add(
                  List.of(
                      name.isEmpty() ? "(default)" : name,
                      Long.toString(use.subscriptions),
                      names(use.subscribedAt),
                      names(use.publishedAt))));
      table.lines().forEach(output::println);
    }
    silent.forEach(member -> output.note("treecast: could not ask " + member));
    return silent.isEmpty() ? ExitCode.OK : ExitCode.PARTIAL;
  }

  private static String names(SortedSet<String> members) {
    if (members.isEmpty()) {
      return "-";
    }
    return members.stream().limit(MAX_NAMED).collect(Collectors.joining(","))
        + (members.size() > MAX_NAMED ? " and " + (members.size() - MAX_NAMED) + " more" : "");
  }

  private static ObjectNode json(SortedMap<String, Use> topics) {
    ObjectNode json = TreeJson.object();
    ArrayNode array = json.putArray("topics");
    topics.forEach(
        (name, use) -> {
          ObjectNode topic =
              array.addObject().put("topic", name).put("subscriptions", use.subscriptions);
          ArrayNode subscribed = topic.putArray("subscribedAt");
          use.subscribedAt.forEach(subscribed::add);
          ArrayNode published = topic.putArray("publishedAt");
          use.publishedAt.forEach(published::add);
        });
    return json;
  }
}
