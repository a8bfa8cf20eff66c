package io.treecast.cli.console;

/** Ends the command with one line for the person who called it, and an exit code. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** It was tried and failed: what, where, and what to do next. */
  public static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, message);
  }

  /** It was done in part: what is missing, and what to do next. */
  public static CommandFailure partial(String message) {
    return new CommandFailure(ExitCode.PARTIAL, message);
  }

  /** The failure of a flag or file: its name, its value, and the allowed values. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /**
   * The reader of what it prints has what it wanted, and is gone: it ends without a word, and as
   * done, so that {@code | head} is not a failure under {@code set -o pipefail}.
   */
  static CommandFailure unread() {
    return new CommandFailure(ExitCode.OK, "the reader of the output has exited");
  }

  public int exitCode() {
    return exitCode;
  }
}
