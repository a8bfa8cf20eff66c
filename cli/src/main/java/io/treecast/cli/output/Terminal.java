package io.treecast.cli.output;

import java.nio.charset.Charset;
import java.util.regex.Pattern;

/** Properties of the terminal and the locale. */
public final class Terminal {
  private static final Pattern COLUMNS = Pattern.compile("[1-9]\\d{0,3}");
  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /** Returns whether the command runs at a terminal, as far as Java can tell. */
  @SuppressWarnings("SystemConsoleNull") // Newer versions of Java are asked below.
  public static boolean isInteractive() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // Newer versions of Java have a console even without a terminal.
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJava) {
      return true;
    }
  }

  /**
   * Returns the number of characters on a line, which the start script determines from the
   * terminal.
   */
  public static int columns() {
    String columns = System.getenv("COLUMNS");
    return columns != null && COLUMNS.matcher(columns).matches()
        ? Integer.parseInt(columns)
        : USUAL_COLUMNS;
  }

  /**
   * Returns whether an argument was garbled: in other locales than UTF-8, Java replaces each byte
   * that it cannot decode.
   */
  public static boolean isGarbled(String argument) {
    return argument.indexOf('\uFFFD') >= 0
        && !"UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
  }

  /** Returns the character set of standard output. */
  public static Charset charset() {
    // Set by newer versions of Java; in older ones, standard output has the default charset.
    String encoding = System.getProperty("stdout.encoding");
    return encoding != null && Charset.isSupported(encoding)
        ? Charset.forName(encoding)
        : Charset.defaultCharset();
  }
}
