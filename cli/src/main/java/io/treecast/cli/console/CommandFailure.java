package io.treecast.cli.console;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Ends a command with a message of one line and an exit code. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** Returns a failure of an attempt. The message has what failed, where, and what to do next. */
  public static CommandFailure failed(String message) {
    return new CommandFailure(ExitCode.FAILED, message);
  }

  /** Returns a partial success. The message has what is missing, and what to do next. */
  public static CommandFailure partial(String message) {
    return new CommandFailure(ExitCode.PARTIAL, message);
  }

  /**
   * Returns the failure of a flag or file. The message has its name, its value, and the allowed
   * values.
   */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  /**
   * Returns a value that is created from an option.
   *
   * @param option the option, named in the failure if the creation throws an {@link
   *     IllegalArgumentException}
   */
  public static <T extends @Nullable Object> T checked(String option, Supplier<T> creation) {
    try {
      return creation.get();
    } catch (IllegalArgumentException e) {
      throw usage(option + ": " + e.getMessage());
    }
  }

  /**
   * Returns the silent end of a command whose reader has exited. It counts as success, so that
   * {@code | head} does not fail under {@code set -o pipefail}.
   */
  static CommandFailure unread() {
    return new CommandFailure(ExitCode.OK, "the reader of the output has exited");
  }

  public int exitCode() {
    return exitCode;
  }
}
