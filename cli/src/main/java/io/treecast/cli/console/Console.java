package io.treecast.cli.console;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a command prints: its answer to standard output, what a person should know beside it to
 * standard error. The base of the mixins that choose a format.
 */
public abstract class Console {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  public PrintWriter out() {
    return command().commandLine().getOut();
  }

  PrintWriter err() {
    return command().commandLine().getErr();
  }

  /** One line of text, at once. */
  public void println(String line) {
    out().println(line);
    out().flush();
  }

  /** One object on one line, at once. */
  public void println(ObjectNode json) {
    println(json.toString());
  }

  /** One line beside the answer, at once. */
  public void note(String line) {
    err().println(line);
    err().flush();
  }

  private CommandSpec command() {
    if (command == null) {
      throw new IllegalStateException("no command line has been parsed");
    }
    return command;
  }
}
