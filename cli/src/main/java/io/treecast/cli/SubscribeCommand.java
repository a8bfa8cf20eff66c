package io.treecast.cli;

import io.treecast.agent.config.HostPort;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MissedMessages;
import io.treecast.client.Positions;
import io.treecast.client.SubscribeOptions;
import io.treecast.client.Treecast;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code treecast subscribe}. */
@Command(
    name = "subscribe",
    description = {
      "Prints every message that any member broadcasts on some topics, one a line, until Ctrl-C or after N messages.",
      "Goes on where it was when the connection is interrupted. Messages that will not come are named."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast subscribe --agent 127.0.0.1:7700",
      "  treecast subscribe --topic prices,news",
      "  treecast subscribe --count 1 --output json | jq -r .payload | base64 -d",
      "  treecast subscribe --from retained --when-slow catch-up",
      "  treecast subscribe --from h1/9f3a6c01d2e4b587/4,h2/02c9e15f6a7b8d30/17"
    })
final class SubscribeCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();
  @Mixin private SubscribeFlags flags = new SubscribeFlags();

  @Override
  public Integer call() {
    EventFollower follower = new EventFollower(output, count.events());
    SubscribeOptions options = flags.options();
    HostPort address = agent.address();
    // The client waits for an agent that is down; a person wants to know at once.
    AgentInquiry.report(address);
    try (Treecast treecast = Treecast.connect(address.toString())) {
      Printer printer = new Printer(follower);
      int exitCode = follower.follow(treecast.subscribe(options, printer), "subscribed at");
      Positions positions = printer.positions;
      if (positions != null) {
        output.note("to go on after this: --from " + positions);
      }
      return exitCode;
    }
  }

  private final class Printer implements MessageHandler {
    private final EventFollower follower;

    /** What was printed. Written on the subscription's thread. */
    private volatile @Nullable Positions positions;

    Printer(EventFollower follower) {
      this.follower = follower;
    }

    @Override
    public void onBegan(Positions begin) {
      positions = begin;
    }

    @Override
    public void onMessage(Message message) {
      follower.event(
          () -> {
            if (output.isJson()) {
              printJson(message);
            } else {
              output.println(line(message));
            }
            Positions before = positions;
            positions = before == null ? null : before.with(message.messageId());
          });
    }

    @Override
    public void onMissed(MissedMessages missed) {
      if (output.isJson()) {
        printJson(missed);
      } else {
        output.note(line(missed));
      }
      Positions before = positions;
      positions = before == null ? null : before.with(missed);
    }

    @Override
    public void onLive() {
      if (flags.looksBack() && output.isJson()) {
        output.println(TreeJson.object().put("event", "live"));
      } else if (flags.looksBack()) {
        output.note("live: what comes now is new");
      }
    }

    @Override
    public void onInterrupted(String reason) {
      follower.onInterrupted(reason);
    }

    @Override
    public void onResumed() {
      follower.onResumed();
    }
  }

  private void printJson(Message message) {
    output.println(
        TreeJson.object()
            .put("origin", message.origin())
            .put("incarnation", String.format("%016x", message.incarnation()))
            .put("topic", message.topic())
            .put("sequence", message.sequence())
            .put("bytes", message.payload().length)
            .put("payload", Base64.getEncoder().encodeToString(message.payload())));
  }

  private void printJson(MissedMessages missed) {
    output.println(
        TreeJson.object()
            .put("event", "missed")
            .put("origin", missed.origin())
            .put("incarnation", String.format("%016x", missed.incarnation()))
            .put("firstSequence", missed.firstSequence())
            .put("lastSequence", missed.lastSequence())
            .put("reason", missed.reason().name().toLowerCase(Locale.ROOT).replace('_', '-')));
  }

  private static String line(MissedMessages missed) {
    String why =
        switch (missed.reason()) {
          case AGENT_AWAY -> "the agent was away for longer than the others' logs reach back";
          case NOT_RETAINED -> "the agent's log does not retain them";
          case SKIPPED -> "they were skipped, since they were not taken in time";
          case UNKNOWN -> "the agent does not say why";
        };
    return "missed "
        + missed.origin()
        + " #"
        + missed.firstSequence()
        + " to #"
        + missed.lastSequence()
        + ": "
        + why;
  }

  private static String line(Message message) {
    String text = PayloadText.of(message.payload());
    return message.origin()
        + " #"
        + message.sequence()
        + (message.topic().isEmpty() ? "" : " of " + message.topic())
        + " ("
        + Plural.of(message.payload().length, "byte")
        + (text == null ? ", binary)" : text.isEmpty() ? ")" : ") " + text);
  }
}
