package io.treecast.cli.tree;

import io.treecast.cli.console.Console;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The {@code --output} flag of commands that can also write a tree for Graphviz. */
final class TreeOutputOption extends Console {
  /** The format of a command's output. */
  public enum Format {
    TEXT,
    JSON,
    DOT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (for Graphviz); default: ${DEFAULT-VALUE}.")
  private Format format = Format.TEXT;

  Format format() {
    return format;
  }
}
