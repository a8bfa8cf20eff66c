package io.treecast.cli.values;

import io.treecast.cli.console.ExitCode;
import io.treecast.client.Treecast;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code treecast values put}. */
@Command(
    name = "put",
    description = "Puts an entry, which lasts until it is replaced or deleted.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast values put routes eu h7:9000"})
public final class ValuesPutCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.")
  private String map = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Key of the entry.")
  private String key = "";

  @Parameters(index = "2", paramLabel = "VALUE", description = "The value.")
  private String value = "";

  @Override
  int act(Treecast treecast) {
    treecast.blocking().put(treecast.values(map), key(key), content(value));
    return ExitCode.OK;
  }
}
