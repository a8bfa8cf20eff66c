package io.treecast.cli.console;

/** The command's exit codes. */
public final class ExitCode {
  public static final int OK = 0;

  /** The command failed. */
  public static final int FAILED = 1;

  /** The command line or a file that it names cannot be used. */
  public static final int USAGE = 2;

  /** The command succeeded in part. */
  public static final int PARTIAL = 3;

  /** An agent ended for lack of memory or threads; the JVM uses the same code. */
  public static final int EXHAUSTED = 3;

  /** An agent crashed on request; the code is that of {@code kill -9}. */
  public static final int KILLED = 137;

  private ExitCode() {}
}
