package io.treecast.cli.group;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast group}: parent of the commands for groups. */
@Command(
    name = "group",
    description = "Lists, watches and joins groups of members.",
    mixinStandardHelpOptions = true,
    subcommands = {GroupListCommand.class, GroupWatchCommand.class, GroupJoinCommand.class},
    footer = {"", "Example:", "  treecast group list --agent 127.0.0.1:7700"})
public final class GroupCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(s.commandLine(), "expected list, watch or join");
    }
  }
}
