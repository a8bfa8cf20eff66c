package io.treecast.cli.collective;

import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.client.CollectiveResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code treecast barrier}. */
@Command(
    name = "barrier",
    description =
        "Waits until each member of the tree has called it with the same name. Exit "
            + "code 3: some members are missing.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast barrier epoch-17 --agent 127.0.0.1:7700",
      "  treecast barrier epoch-17 --among h1,h2 --wait 600"
    })
public final class BarrierCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CollectiveFlags flags = new CollectiveFlags();

  @Override
  public Integer call() {
    CollectiveResult<@Nullable Void> passed;
    try (AgentInquiry agents = agent.inquiry(output)) {
      passed = flags.call(agents, output, (all, options) -> all.barrier(flags.name(), options));
    }
    if (output.isJson()) {
      output.println(CollectiveReport.json(flags.name(), passed));
    } else {
      CollectiveReport.printEnd(output, "passed by", passed);
    }
    return ExitCode.OK;
  }
}
