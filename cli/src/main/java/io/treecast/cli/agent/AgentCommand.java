package io.treecast.cli.agent;

import io.treecast.agent.config.AgentConfig;
import io.treecast.cli.console.OutputOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code treecast agent}. */
@Command(
    name = "agent",
    description = {
      "Runs an agent until Ctrl-C or SIGTERM; it then leaves the cluster " + "gracefully.",
      "Settings come from flags, from a YAML file, or both."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast agent --id h1 --listen 127.0.0.1:7701",
      "  treecast agent --id h2 --listen 127.0.0.1:7702 \\",
      "    --seeds 127.0.0.1:7701 --admin 127.0.0.1:9400",
      "  treecast agent --config agent.yaml --id h3"
    })
public final class AgentCommand implements Callable<Integer> {
  @Mixin private AgentFlags flags = new AgentFlags();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    AgentConfig config = flags.config();
    return new AgentRun(config, new LifecycleEvents(output, config.id())).run();
  }
}
