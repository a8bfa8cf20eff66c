package io.treecast.cli.reproduce;

import io.treecast.cli.console.Console;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --output} flag of {@code treecast reproduce}. */
final class ReproduceOutputOption extends Console {
  /** The format of the command's output. */
  enum Format {
    TEXT,
    JSON,
    MARKDOWN;

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

  Format format() {
    return format;
  }
}
