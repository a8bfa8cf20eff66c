package io.treecast.cli.group;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.Treecast;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code treecast group watch}. */
@Command(
    name = "watch",
    description =
        "Prints each view of a group, with the members that joined and left, until Ctrl-C or for N"
            + " views.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast group watch trainers/west --agent 127.0.0.1:7700"})
public final class GroupWatchCommand implements Callable<Integer> {
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
      return EndAtSignal.run(() -> watch(agents, follower));
    }
  }

  private int watch(AgentInquiry agents, EventFollower follower) {
    try (Treecast treecast = agents.client().connect()) {
      return follower.follow(
          treecast.groups().watch(path, new ViewPrinter(output, follower)),
          "watching group " + path + " at");
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }
}
