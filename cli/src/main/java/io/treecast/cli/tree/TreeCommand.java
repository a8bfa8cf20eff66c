package io.treecast.cli.tree;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast tree}: parent of the commands for trees. */
@Command(
    name = "tree",
    description = "Shows, watches, verifies and compares the trees that the agents agreed on.",
    mixinStandardHelpOptions = true,
    subcommands = {
      TreeShowCommand.class,
      TreeWatchCommand.class,
      TreeVerifyCommand.class,
      TreeHistoryCommand.class,
      TreeDiffCommand.class
    },
    footer = {"", "Example:", "  treecast tree show --agent 127.0.0.1:7700"})
public final class TreeCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(
          s.commandLine(), "expected show, watch, verify, history or diff");
    }
  }
}
