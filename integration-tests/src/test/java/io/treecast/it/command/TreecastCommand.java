package io.treecast.it.command;

import io.treecast.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** {@code treecast} inside the test, where the process is not the subject. */
final class TreecastCommand {
  private TreecastCommand() {}

  /** Runs a command to its end. */
  static TreecastProcess.Ended run(List<String> arguments) {
    String[] args = arguments.toArray(String[]::new);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Main.commandLine(args)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new TreecastProcess.Ended(exitCode, out.toString(), err.toString());
  }
}
