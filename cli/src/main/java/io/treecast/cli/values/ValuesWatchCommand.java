package io.treecast.cli.values;

import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.client.EntryHandler;
import io.treecast.client.Treecast;
import io.treecast.client.ValueEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code treecast values watch}. */
@Command(
    name = "watch",
    description =
        "Prints the entries of a map, and then each change, until Ctrl-C or after N lines.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast values watch routes"})
public final class ValuesWatchCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.")
  private String map = "";

  @Mixin private CountOption count = new CountOption();

  @Override
  void checkOptions() {
    var unused = count.events();
  }

  @Override
  int act(Treecast treecast) {
    output.endWithReader();
    EventFollower follower = new EventFollower(output, count.events());
    return EndAtSignal.run(
        () ->
            follower.follow(
                treecast.values(map).watch(new Printing(follower)), "watching '" + map + "' at"));
  }

  private final class Printing implements EntryHandler<byte[]> {
    private final EventFollower follower;

    Printing(EventFollower follower) {
      this.follower = follower;
    }

    @Override
    public void onEntry(ValueEntry<byte[]> entry) {
      follower.event(
          () -> {
            if (output.isJson()) {
              output.println(
                  json()
                      .put("key", entry.key())
                      .put("payload", entry.value())
                      .put("origin", entry.origin()));
            } else {
              output.println(entry.key() + " = " + text(entry.value()));
            }
          });
    }

    @Override
    public void onRemoved(String key) {
      follower.event(
          () -> {
            if (output.isJson()) {
              output.println(json().put("key", key).put("removed", true));
            } else {
              output.println(key + " removed");
            }
          });
    }
  }
}
