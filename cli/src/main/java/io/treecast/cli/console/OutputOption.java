package io.treecast.cli.console;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --output} flag, for every command. */
public final class OutputOption extends Console {
  /** The format of a command's output. */
  public enum Format {
    TEXT,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  private Format format = Format.TEXT;

  public boolean isJson() {
    return format == Format.JSON;
  }
}
