package io.treecast.cli.messages;

import io.treecast.cli.console.CountOption;
import io.treecast.cli.console.EndAtSignal;
import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.AgentInquiry;
import io.treecast.cli.query.AgentOption;
import io.treecast.cli.query.AgentReport;
import io.treecast.client.Positions;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code treecast subscribe}. */
@Command(
    name = "subscribe",
    description = {
      "Prints every message that any member broadcasts on some topics, one per "
          + "line, until Ctrl-C or after N messages.",
      "Resumes after an interrupted connection. Missed messages are named, and do " + "not count."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast subscribe --agent 127.0.0.1:7700",
      "  treecast subscribe --topic prices,news",
      "  treecast subscribe --topic orders --ordered",
      "  treecast subscribe --save /tmp/received --count 1",
      "  treecast subscribe --count 1 --output json | jq -r .payload | base64 -d",
      "  treecast subscribe --from retained --when-slow catch-up",
      "  treecast subscribe --from h1/9f3a6c01d2e4b587/4,h2/02c9e15f6a7b8d30/17"
    })
public final class SubscribeCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();
  @Mixin private SubscribeFlags flags = new SubscribeFlags();

  @Option(
      names = "--save",
      paramLabel = "DIR",
      description =
          "Saves each message, of any size, to a file of its own in this directory, and prints the file's name when it is complete "
              + "and its checksum holds.")
  private @Nullable Path directory;

  @Override
  public Integer call() {
    output.endWithReader();
    EventFollower follower = new EventFollower(output, count.events());
    SubscribeOptions options = flags.options();
    FollowedMessages messages =
        directory == null
            ? new MessagePrinter(output, follower, flags.mayReplay())
            : new MessageFiles(directory, output, follower, flags.mayReplay());
    try (AgentInquiry agents = agent.inquiry(output)) {
      // Fails at once if the agent is down, whereas the client would wait for it.
      AgentReport report =
          agents.reportIfPermitted(Duration.ofSeconds(AgentInquiry.ANSWER_SECONDS));
      if (report != null && report.tree() == null) {
        output.note(
            "waiting for a tree; agent " + report.id() + " says: " + report.notReadyReason());
      }
      return EndAtSignal.run(() -> follow(agents, follower, options, messages));
    }
  }

  private int follow(
      AgentInquiry agents,
      EventFollower follower,
      SubscribeOptions options,
      FollowedMessages messages) {
    try (Treecast treecast = agents.client().connect()) {
      int exitCode = follower.follow(treecast.subscribe(options, messages), "subscribed at");
      Positions positions = messages.positions();
      if (positions != null) {
        output.note("to resume after this: --from " + positions);
      }
      return exitCode;
    }
  }
}
