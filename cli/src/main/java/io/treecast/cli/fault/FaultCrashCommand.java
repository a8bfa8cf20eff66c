package io.treecast.cli.fault;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.MemberDirectory;
import io.treecast.cli.query.TreeJson;
import io.treecast.proto.v1.CrashAgent;
import io.treecast.proto.v1.InjectFaultRequest;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault crash}. */
@Command(
    name = "crash",
    description = {
      "Ends an agent without a goodbye: its process at once, as kill -9 does; in a demo, its connections.",
      "No command restarts it: start its process again; a demo continues without "
          + "it. Schedules of 'treecast simulate' have restart."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault crash 7"})
final class FaultCrashCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();

  @Parameters(index = "0", paramLabel = "NODE", description = "The node id of the agent.")
  private String node = "";

  @Override
  public Integer call() {
    try (AgentInquiry agents = agent.inquiry(output)) {
      return crash(agents);
    }
  }

  private int crash(AgentInquiry agents) {
    Member target = new MemberDirectory(agents).member(node);
    InjectFaultRequest crash =
        InjectFaultRequest.newBuilder().setCrashAgent(CrashAgent.getDefaultInstance()).build();
    FaultRun run = FaultRun.at(agents, List.of(target), crash);
    if (output.isJson()) {
      ObjectNode json = TreeJson.object().put("fault", "crash").put("node", target.id().toString());
      run.describe(json);
      output.println(json);
    } else {
      output.println("agent " + target.id() + " at " + target.address() + " crashes");
    }
    return run.noteFailures(output);
  }
}
