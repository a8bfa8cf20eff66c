package io.treecast.cli;

import io.treecast.cli.console.ExitCode;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code treecast completion}. */
@Command(
    name = "completion",
    description = "Prints a script with which the shell completes commands, options and values.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast completion bash > ~/.treecast-completion"})
final class CompletionCommand implements Callable<Integer> {
  /** What there are scripts for. */
  enum Shell {
    BASH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "SHELL",
      description = "The shell: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.BASH;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec own = spec;
    if (own != null && shell == Shell.BASH) {
      CommandSpec whole = own.root();
      own.commandLine().getOut().print(AutoComplete.bash(whole.name(), whole.commandLine()));
    }
    return ExitCode.OK;
  }
}
