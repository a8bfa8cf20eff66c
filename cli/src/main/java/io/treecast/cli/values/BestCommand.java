package io.treecast.cli.values;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast best}: parent of the commands for a best value. */
@Command(
    name = "best",
    description = "Offers a number to all agents, and reads the best one.",
    mixinStandardHelpOptions = true,
    subcommands = {BestOfferCommand.class, BestGetCommand.class, BestWatchCommand.class},
    footer = {
      "",
      "Examples:",
      "  treecast best offer incumbent min 17.5 'route 4'",
      "  treecast best get incumbent min"
    })
public final class BestCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(s.commandLine(), "expected offer, get or watch");
    }
  }
}
