package io.treecast.cli.console;

import io.treecast.cli.output.StandardOutput;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Where a command prints: its answer to standard output, what a person should know beside it to
 * standard error. The base of the mixins that choose a format.
 */
public abstract class Console {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private boolean endsWithReader;

  public PrintWriter out() {
    return command().commandLine().getOut();
  }

  public PrintWriter err() {
    return command().commandLine().getErr();
  }

  /**
   * For a command that goes on until somebody ends it: from here on it ends when what it prints has
   * lost its reader. Others print on for nobody, to their own exit code.
   */
  public void endWithReader() {
    endsWithReader = true;
  }

  /**
   * One line of text, at once.
   *
   * @throws CommandFailure if it cannot be written
   */
  public void println(String line) {
    out().println(line);
    checkWritten(out());
    if (endsWithReader) {
      checkRead(out());
    }
  }

  /**
   * One object on one line, at once; characters beyond ASCII are escaped.
   *
   * @throws CommandFailure if it cannot be written
   */
  public void println(ObjectNode json) {
    println(text(json));
  }

  /** Returns the object on one line; characters beyond ASCII are escaped. */
  public static String text(ObjectNode json) {
    return AsciiJson.WRITER.writeValueAsString(json);
  }

  /** One line beside the answer, at once. */
  public void note(String line) {
    err().println(line);
    err().flush();
  }

  /**
   * Writes what was printed so far. A writer itself says nothing when that fails.
   *
   * @throws CommandFailure if a part of it could not be written, unless it lost its reader
   */
  public static void checkWritten(PrintWriter out) {
    if (out.checkError() && !isReaderGone(out)) {
      String why = out instanceof StandardOutput known ? known.failure() : null;
      throw CommandFailure.failed(
          "the output cannot be written" + (why == null ? "" : " (" + why + ")"));
    }
  }

  /**
   * Ends a command without a word if what it prints has lost its reader.
   *
   * @throws CommandFailure of exit code {@link ExitCode#OK}
   */
  public static void checkRead(PrintWriter out) {
    if (isReaderGone(out)) {
      throw CommandFailure.unread();
    }
  }

  private static boolean isReaderGone(PrintWriter out) {
    return out instanceof StandardOutput known && known.isReaderGone();
  }

  private CommandSpec command() {
    if (command == null) {
      throw new IllegalStateException("no command line has been parsed");
    }
    return command;
  }

  /** A class of its own, since commands that print text start faster without this library. */
  private static final class AsciiJson {
    /** Its output is whole in every locale. */
    static final ObjectWriter WRITER =
        JsonMapper.shared().writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
  }
}
