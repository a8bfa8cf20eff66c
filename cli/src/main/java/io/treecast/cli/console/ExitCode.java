package io.treecast.cli.console;

/** The command's exit codes. */
public final class ExitCode {
  public static final int OK = 0;

  /** It was tried and failed. */
  public static final int FAILED = 1;

  /** The command line or a file that it names cannot be used. */
  public static final int USAGE = 2;

  /** Done in part. */
  public static final int PARTIAL = 3;

  /** An agent ended because it lacked memory or threads; the JVM ends it so as well. */
  public static final int EXHAUSTED = 3;

  /** It ended as after {@code kill -9}, because somebody had it crash. */
  public static final int KILLED = 137;

  private ExitCode() {}
}
