package io.treecast.cli.values;

import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.ExitCode;
import io.treecast.client.Best;
import io.treecast.client.BestOffer;
import io.treecast.client.Treecast;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code treecast best get}. */
@Command(
    name = "get",
    description =
        "Prints the best number that the agent has, and its value. Exit code 1 if there is no "
            + "offer.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast best get incumbent min"})
public final class BestGetCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the best value.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "BEST", description = "Which number is better: min or max.")
  private Best best = Best.MIN;

  @Override
  int act(Treecast treecast) {
    BestOffer<byte[]> offer =
        treecast
            .blocking()
            .get(treecast.best(name, best))
            .orElseThrow(() -> CommandFailure.failed("nothing is offered to '" + name + "'"));
    if (output.isJson()) {
      output.println(
          json()
              .put("number", offer.number())
              .put("payload", offer.value())
              .put("origin", offer.origin()));
    } else {
      output.println(offer.number() + " " + text(offer.value()));
    }
    return ExitCode.OK;
  }
}
