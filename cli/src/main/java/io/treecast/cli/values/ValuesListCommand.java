package io.treecast.cli.values;

import io.treecast.cli.console.ExitCode;
import io.treecast.client.Treecast;
import io.treecast.client.ValuesSize;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code treecast values list}. */
@Command(
    name = "list",
    description = "Prints the maps and the best values that the agent has.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast values list"})
public final class ValuesListCommand extends ValueAction {
  @Override
  int act(Treecast treecast) {
    List<ValuesSize> sizes = treecast.blocking().listValues();
    if (sizes.isEmpty() && !output.isJson()) {
      output.note("no map has entries");
    }
    for (ValuesSize size : sizes) {
      String best = size.best() == null ? null : size.best().name().toLowerCase(Locale.ROOT);
      if (output.isJson()) {
        output.println(
            json()
                .put("name", size.name())
                .put("best", best)
                .put("entries", size.entries())
                .put("bytes", size.bytes()));
      } else {
        output.println(
            size.name()
                + (best == null ? "" : " (" + best + ")")
                + ": entries "
                + size.entries()
                + ", bytes "
                + size.bytes());
      }
    }
    return ExitCode.OK;
  }
}
