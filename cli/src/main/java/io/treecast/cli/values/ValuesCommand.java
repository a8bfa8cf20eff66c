package io.treecast.cli.values;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast values}: parent of the commands for shared values. */
@Command(
    name = "values",
    description = "Writes and reads the maps of values that all agents share.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ValuesListCommand.class,
      ValuesGetCommand.class,
      ValuesPutCommand.class,
      ValuesDeleteCommand.class,
      ValuesWatchCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  treecast values put routes eu h7:9000",
      "  treecast values get routes eu",
      "  treecast values watch routes"
    })
public final class ValuesCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(s.commandLine(), "expected list, get, put, delete or watch");
    }
  }
}
