package io.treecast.cli.values;

import io.treecast.cli.console.ExitCode;
import io.treecast.client.Best;
import io.treecast.client.Treecast;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code treecast best offer}. */
@Command(
    name = "offer",
    description =
        "Offers a number with a value, and prints whether it is better than all earlier offers "
            + "at the agent.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast best offer incumbent min 17.5 'route 4'"})
public final class BestOfferCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the best value.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "BEST", description = "Which number is better: min or max.")
  private Best best = Best.MIN;

  @Parameters(index = "2", paramLabel = "NUMBER", description = "The number.")
  private double number;

  @Parameters(
      index = "3",
      arity = "0..1",
      paramLabel = "VALUE",
      description = "The value that belongs to the number.")
  private String value = "";

  @Override
  int act(Treecast treecast) {
    boolean isBetter = treecast.blocking().offer(treecast.best(name, best), number, content(value));
    if (output.isJson()) {
      output.println(json().put("better", isBetter));
    } else {
      output.println(isBetter ? "better" : "no better");
    }
    return ExitCode.OK;
  }
}
