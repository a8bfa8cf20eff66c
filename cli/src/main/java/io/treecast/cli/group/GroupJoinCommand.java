package io.treecast.cli.group;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Group;
import io.treecast.client.Treecast;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code treecast group join}. */
@Command(
    name = "join",
    description = "Joins a group, and prints each view, until Ctrl-C or for N views.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast group join trainers/west --agent 127.0.0.1:7700"})
public final class GroupJoinCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();

  @Parameters(index = "0", paramLabel = "PATH", description = "Path of the group.")
  private String path = "";

  @Override
  public Integer call() {
    output.endWithReader();
    EventFollower follower = new EventFollower(output, count.events());
    try (AgentInquiry agents = agent.inquiry(output)) {
      agents.requireAnswer();
      return EndAtSignal.run(() -> join(agents, follower));
    }
  }

  private int join(AgentInquiry agents, EventFollower follower) {
    try (Treecast treecast = agents.client().connect()) {
      Group group = treecast.groups().join(path);
      group.watch(new ViewPrinter(output, follower));
      return follower.follow(group, "joined group " + path + " at");
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }
}
