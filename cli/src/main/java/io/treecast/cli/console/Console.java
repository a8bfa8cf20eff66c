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
 * The output of a command: results go to standard output, notes for people to standard error. Base
 * class of the mixins that choose a format.
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
   * Makes a streaming command end when the reader of its output has exited. Other commands continue
   * to their own exit code.
   */
  public void endWithReader() {
    endsWithReader = true;
  }

  /**
   * Prints and flushes a line.
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
   * Prints and flushes an object on one line, with characters beyond ASCII escaped.
   *
   * @throws CommandFailure if it cannot be written
   */
  public void println(ObjectNode json) {
    println(text(json));
  }

  /** Returns the object on one line, with characters beyond ASCII escaped. */
  public static String text(ObjectNode json) {
    return AsciiJson.WRITER.writeValueAsString(json);
  }

  /** Prints and flushes a note. */
  public void note(String line) {
    err().println(line);
    err().flush();
  }

  /**
   * Flushes the output, and reports a failure, which a {@link PrintWriter} hides.
   *
   * @throws CommandFailure if output could not be written, unless its reader has exited
   */
  public static void checkWritten(PrintWriter out) {
    if (out.checkError() && !isReaderGone(out)) {
      String why = out instanceof StandardOutput known ? known.failure() : null;
      throw CommandFailure.failed(
          "the output cannot be written" + (why == null ? "" : " (" + why + ")"));
    }
  }

  /**
   * Ends a command silently if the reader of its output has exited.
   *
   * @throws CommandFailure with the exit code {@link ExitCode#OK}
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

  /** A separate class, since commands that print text start faster without this library. */
  private static final class AsciiJson {
    /** Writes ASCII, which is valid in every locale. */
    static final ObjectWriter WRITER =
        JsonMapper.shared().writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
  }
}
