package io.treecast.cli;

import io.treecast.cli.agent.FatalErrors;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.Console;
import io.treecast.cli.console.ExitCode;
import io.treecast.cli.console.ProcessOutput;
import io.treecast.cli.output.StandardOutput;
import io.treecast.cli.output.Terminal;
import io.treecast.cli.query.CommandChannels;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of the {@code treecast} command. */
@Command(
    name = "treecast",
    description =
        "Collective communication over a minimum spanning tree that the nodes measure and agree"
            + " on.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 partial success.",
      "",
      "Example:",
      "  treecast demo"
    })
public final class Main implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    if (!Commands.runsAgents(args)) {
      CommandChannels.choose();
    }
    int exitCode = run(args);
    CommandChannels.close();
    System.exit(exitCode);
  }

  /** Runs one command and returns its {@link ExitCode}. */
  static int run(String... args) {
    List<String> words = List.of(args);
    boolean isAgent = words.indexOf("agent") == 0;
    boolean isJson = words.contains("json") || words.contains("--output=json");
    if (isAgent) {
      FatalErrors.endProcess(); // Before the first thread starts.
    }
    // Redirected before the first output to standard error.
    OutputStream out = isAgent ? ProcessOutput.unblocked(isJson) : ProcessOutput.out();
    try {
      return run(out, args);
    } finally {
      ProcessOutput.drain();
    }
  }

  private static int run(OutputStream out, String... args) {
    CommandLine command =
        commandLine(args)
            .setOut(StandardOutput.to(out, Terminal.charset()))
            .setErr(new PrintWriter(System.err, true, Terminal.charset()));
    for (String arg : args) {
      if (Terminal.isGarbled(arg)) {
        command
            .getErr()
            .println(
                "treecast: '"
                    + arg
                    + "' has characters that are invalid in this locale; use one with UTF-8, such "
                    + "as LC_ALL=C.UTF-8");
        return ExitCode.USAGE;
      }
    }
    return command.execute(args);
  }

  /**
   * Returns the command with the subcommands that the arguments need; with all of them if there are
   * no arguments. Tests can redirect its output.
   */
  public static CommandLine commandLine(String... args) {
    CommandLine command = new CommandLine(new Main());
    Commands.addTo(command, args);
    giveVersion(command);
    return command
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::misused)
        .setExecutionStrategy(Main::runAndWrite)
        .setExecutionExceptionHandler(Main::failed)
        .setExitCodeExceptionMapper(
            e -> e instanceof CommandFailure f ? f.exitCode() : ExitCode.FAILED);
  }

  /** Gives every subcommand the same {@code --version}. */
  private static void giveVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new VersionLine());
    command.getSubcommands().values().forEach(Main::giveVersion);
  }

  /** Runs a command. It fails if its output cannot be written. */
  private static int runAndWrite(CommandLine.ParseResult parsed) {
    checkNoneUnmatched(parsed);
    int exitCode = new CommandLine.RunLast().execute(parsed);
    CommandLine command = parsed.commandSpec().commandLine();
    try {
      Console.checkWritten(command.getOut());
    } catch (CommandFailure notWritten) {
      throw new CommandLine.ExecutionException(command, "not written", notWritten);
    }
    return exitCode;
  }

  /** Rejects unknown arguments beside a request for help, which picocli accepts. */
  private static void checkNoneUnmatched(CommandLine.ParseResult parsed) {
    for (CommandLine command : parsed.asCommandLineList()) {
      List<String> unmatched = command.getUnmatchedArguments();
      if (!unmatched.isEmpty()) {
        throw new CommandLine.UnmatchedArgumentException(command, unmatched);
      }
    }
  }

  /** Prints the error in one line, and a reference to the help. */
  private static int misused(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("treecast: " + UsageError.text(wrong));
    if (UsageError.unknownWord(wrong) == null) {
      CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
    }
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' has details.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (failure instanceof CommandFailure known) {
      if (known.exitCode() != ExitCode.OK) {
        command.getErr().println("treecast: " + known.getMessage());
        command.getErr().flush();
      }
      return known.exitCode();
    }
    throw failure;
  }

  @Override
  public void run() {
    CommandSpec s = spec;
    if (s != null) {
      throw new ParameterException(
          s.commandLine(), "expected a command; 'treecast demo' is a good start");
    }
  }
}
