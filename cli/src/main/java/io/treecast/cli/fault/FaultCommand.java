package io.treecast.cli.fault;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code treecast fault}: parent of the commands that inject faults. */
@Command(
    name = "fault",
    description = {
      "Breaks links and agents on purpose, in a running 'treecast demo', or of "
          + "agents that were started with --allow-faults."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      FaultCutCommand.class,
      FaultOneWayCommand.class,
      FaultRttCommand.class,
      FaultLossCommand.class,
      FaultHealCommand.class,
      FaultCrashCommand.class,
      FaultPauseCommand.class,
      FaultStatusCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  treecast fault cut 4-6",
      "  treecast fault status",
      "  treecast fault heal"
    })
public final class FaultCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(
          s.commandLine(), "expected cut, oneway, rtt, loss, heal, crash, pause or status");
    }
  }
}
