package io.treecast.cli;

/** What the command's exit code says. */
final class ExitCode {
  static final int OK = 0;

  /** It was tried and failed. */
  static final int FAILED = 1;

  /** The command line or a file that it names can not be used. */
  static final int USAGE = 2;

  /** Done in part. */
  static final int PARTIAL = 3;

  /** It ended as after {@code kill -9}, because somebody had it crash. */
  static final int KILLED = 137;

  private ExitCode() {}
}
