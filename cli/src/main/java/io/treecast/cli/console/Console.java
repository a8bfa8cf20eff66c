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

  public PrintWriter err() {
    return command().commandLine().getErr();
  }

  /**
   * One line of text, at once.
   *
   * @throws CommandFailure if it can not be written
   */
  public void println(String line) {
    out().println(line);
    checkWritten(out());
  }

  /**
   * One object on one line, at once.
   *
   * @throws CommandFailure if it can not be written
   */
  public void println(ObjectNode json) {
    println(json.toString());
  }

  /** One line beside the answer, at once. */
  public void note(String line) {
    err().println(line);
    err().flush();
  }

  /**
   * Writes what was printed so far. A writer itself says nothing when that fails.
   *
   * @throws CommandFailure if a part of it could not be written
   */
  public static void checkWritten(PrintWriter out) {
    if (out.checkError()) {
      throw CommandFailure.failed(
          "what it prints can not be written: its reader is gone, or its disk is full");
    }
  }

  private CommandSpec command() {
    if (command == null) {
      throw new IllegalStateException("no command line has been parsed");
    }
    return command;
  }
}
