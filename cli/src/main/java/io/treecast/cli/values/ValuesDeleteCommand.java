package io.treecast.cli.values;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.client.Treecast;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code treecast values delete}. */
@Command(
    name = "delete",
    description = "Deletes an entry. Exit code 1 if the key is absent.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast values delete routes eu"})
public final class ValuesDeleteCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.")
  private String map = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Key of the entry.")
  private String key = "";

  @Override
  int act(Treecast treecast) {
    if (!treecast.blocking().delete(treecast.values(map), key(key))) {
      throw CommandFailure.failed("map '" + map + "' has no entry '" + key + "'");
    }
    return ExitCode.OK;
  }
}
