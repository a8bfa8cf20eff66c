package io.treecast.cli;

/** Ends the command with one line for the person who called it, and an exit code. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** It was tried and failed: what, where, and what to do next. */
  static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, message);
  }

  /** A flag or a file can not be used: which, its value, and what is allowed. */
  static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  int exitCode() {
    return exitCode;
  }
}
