package io.treecast.cli.agent;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast config}: parent of the commands for a file of settings. */
@Command(
    name = "config",
    description = "Checks the settings of an agent, without starting it.",
    mixinStandardHelpOptions = true,
    subcommands = {ConfigCheckCommand.class},
    footer = {"", "Example:", "  treecast config check /etc/treecast/agent.yaml"})
public final class ConfigCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(s.commandLine(), "expected check");
    }
  }
}
