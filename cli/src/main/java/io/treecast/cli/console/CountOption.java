package io.treecast.cli.console;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --count} flag of commands that print events. */
public final class CountOption {
  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Ends after N of the events that it prints; default: only at Ctrl-C.")
  private @Nullable Long count;

  /** Returns the number of events after which to end; {@link Long#MAX_VALUE} for no limit. */
  public long events() {
    Long n = count;
    if (n == null) {
      return Long.MAX_VALUE;
    }
    if (n < 1) {
      throw CommandFailure.usage("--count: '" + n + "' is not allowed; the least is 1");
    }
    return n;
  }
}
