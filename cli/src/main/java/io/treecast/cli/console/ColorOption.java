package io.treecast.cli.console;

import io.treecast.cli.output.Terminal;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --color} flag, for commands that mark results as good, doubtful or bad. */
public final class ColorOption {
  private static final String RESET = "\u001b[0m";

  /** The conditions for colours. */
  enum When {
    AUTO,
    ALWAYS,
    NEVER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The meaning of a colour. The text must be clear without it. */
  public enum Mark {
    GOOD("\u001b[32m"),
    DOUBTFUL("\u001b[33m"),
    BAD("\u001b[31m");

    private final String begin;

    Mark(String begin) {
      this.begin = begin;
    }
  }

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      defaultValue = "auto",
      description =
          "Colours: ${COMPLETION-CANDIDATES}; auto is for a terminal, unless the environment has"
              + " NO_COLOR; default: ${DEFAULT-VALUE}.")
  private When when = When.AUTO;

  /** Returns the text, in the colour of the mark if colours are used. */
  public String paint(Mark mark, String text) {
    String noColor = System.getenv("NO_COLOR");
    boolean colours =
        switch (when) {
          case ALWAYS -> true;
          case NEVER -> false;
          case AUTO -> (noColor == null || noColor.isEmpty()) && Terminal.isInteractive();
        };
    return colours ? mark.begin + text + RESET : text;
  }
}
