package io.treecast.cli.console;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --output} flag of commands whose result may also be a table. */
public final class TableOutputOption extends Console {
  /** The format of a command's output. */
  public enum Format {
    TEXT,
    JSON,
    CSV;

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

  public Format format() {
    return format;
  }
}
