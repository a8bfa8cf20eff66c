package io.treecast.cli.values;

import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.client.Best;
import io.treecast.client.BestOffer;
import io.treecast.client.Treecast;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code treecast best watch}. */
@Command(
    name = "watch",
    description = "Prints the best offer, and then better ones, until Ctrl-C or after N lines.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast best watch incumbent min"})
public final class BestWatchCommand extends ValueAction {
  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the best value.")
  private String name = "";

  @Parameters(index = "1", paramLabel = "BEST", description = "Which number is better: min or max.")
  private Best best = Best.MIN;

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
                treecast.best(name, best).watch(offer -> follower.event(() -> print(offer))),
                "watching '" + name + "' at"));
  }

  private void print(BestOffer<byte[]> offer) {
    if (output.isJson()) {
      output.println(
          json()
              .put("number", offer.number())
              .put("payload", offer.value())
              .put("origin", offer.origin()));
    } else {
      output.println(offer.number() + " " + text(offer.value()));
    }
  }
}
