package io.treecast.cli.output;

import java.nio.charset.Charset;
import java.util.regex.Pattern;

/** Where commands print, and how what they are given is read. */
public final class Terminal {
  private static final Pattern COLUMNS = Pattern.compile("[1-9]\\d{0,3}");
  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /** Returns whether a person looks at what is printed, as far as Java can tell. */
  @SuppressWarnings("SystemConsoleNull") // Newer Java is asked below.
  public static boolean isInteractive() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // Newer Java has a console also where none of them is a terminal.
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException olderJava) {
      return true;
    }
  }

  /** Returns how many characters fit on a line; the script that starts Java asks the terminal. */
  public static int columns() {
    String columns = System.getenv("COLUMNS");
    return columns != null && COLUMNS.matcher(columns).matches()
        ? Integer.parseInt(columns)
        : USUAL_COLUMNS;
  }

  /**
   * Returns whether an argument is not what was typed: outside of UTF-8 Java puts a replacement
   * character in the place of each byte that it cannot read.
   */
  public static boolean isGarbled(String argument) {
    return argument.indexOf('\uFFFD') >= 0
        && !"UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
  }

  /** The characters that standard output can show. */
  public static Charset charset() {
    // Known to newer Java only; before it, standard output has the default charset.
    String encoding = System.getProperty("stdout.encoding");
    return encoding != null && Charset.isSupported(encoding)
        ? Charset.forName(encoding)
        : Charset.defaultCharset();
  }
}
