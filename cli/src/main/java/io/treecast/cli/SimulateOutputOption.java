package io.treecast.cli;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --output} flag of the command whose result is also a table. */
final class SimulateOutputOption extends Console {
  /** What a command prints. */
  enum Format {
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
      description =
          "${COMPLETION-CANDIDATES} (a line for each event, source or slice); default: ${DEFAULT-VALUE}.")
  private Format format = Format.TEXT;

  Format format() {
    return format;
  }
}
