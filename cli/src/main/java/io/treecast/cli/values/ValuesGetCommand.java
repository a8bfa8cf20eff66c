package io.treecast.cli.values;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.client.Treecast;
import io.treecast.client.ValueEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code treecast values get}. */
@Command(
    name = "get",
    description =
        "Prints the value of a key, as the agent has it. Exit code 1 if the key is absent.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast values get routes eu"})
public final class ValuesGetCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.")
  private String map = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Key of the entry.")
  private String key = "";

  @Override
  int act(Treecast treecast) {
    ValueEntry<byte[]> entry =
        treecast
            .blocking()
            .get(treecast.values(map), key(key))
            .orElseThrow(
                () -> CommandFailure.failed("map '" + map + "' has no entry '" + key + "'"));
    if (output.isJson()) {
      output.println(
          json()
              .put("key", entry.key())
              .put("payload", entry.value())
              .put("origin", entry.origin())
              .put("ephemeral", entry.isEphemeral()));
    } else {
      output.println(text(entry.value()));
    }
    return ExitCode.OK;
  }
}
