package io.treecast.cli.group;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.Plural;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Treecast;
import io.treecast.client.TreecastException;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast group list}. */
@Command(
    name = "list",
    description = "Prints the groups of the tree that have members, at most 1,000.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast group list --agent 127.0.0.1:7700"})
public final class GroupListCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    SortedMap<String, Integer> groups;
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      try (Treecast treecast = agents.client().connect()) {
        groups = treecast.blocking().listGroups();
      }
    } catch (TreecastException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()));
    }
    if (output.isJson()) {
      ObjectNode json = JsonMapper.shared().createObjectNode();
      ObjectNode sizes = json.putObject("groups");
      groups.forEach(sizes::put);
      output.println(json);
    } else if (groups.isEmpty()) {
      output.note("no group has members");
    } else {
      groups.forEach((path, size) -> output.println(path + "  " + Plural.of(size, "member")));
    }
    return ExitCode.OK;
  }
}
