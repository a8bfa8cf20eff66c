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
    footer = {
      "",
      "Examples:",
      "  treecast completion bash > ~/.treecast-completion",
      "  source <(treecast completion zsh)",
      "  treecast completion fish > ~/.config/fish/completions/treecast.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells with a completion script. */
  enum Shell {
    BASH,
    ZSH,
    FISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(
      index = "0",
      paramLabel = "SHELL",
      description =
          "Which shell: ${COMPLETION-CANDIDATES}. The script of zsh loads compinit and bashcompinit.")
  private Shell shell = Shell.BASH;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec own = spec;
    if (own != null) {
      CommandSpec whole = own.root();
      String script =
          switch (shell) {
            // The script detects which of the two shells runs it.
            case BASH, ZSH -> AutoComplete.bash(whole.name(), whole.commandLine());
            case FISH -> FishCompletion.script(whole);
          };
      own.commandLine().getOut().print(script);
    }
    return ExitCode.OK;
  }
}
