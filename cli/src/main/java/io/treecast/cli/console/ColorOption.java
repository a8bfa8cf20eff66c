package io.treecast.cli.console;

import io.treecast.cli.output.Terminal;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --color} flag, for commands that mark what is good and what is not. */
public final class ColorOption {
  private static final String RESET = "\u001b[0m";

  /** When there are colours. */
  enum When {
    AUTO,
    ALWAYS,
    NEVER;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The meaning of a colour; the text says it as well. */
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

  /** The text, in the colour of the mark if there are colours. */
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
