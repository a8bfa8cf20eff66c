package io.treecast.cli;

import io.treecast.agent.config.HostPort;
import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.Treecast;
import java.util.Base64;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code treecast subscribe}. */
@Command(
    name = "subscribe",
    description =
        "Prints every message that any member broadcasts from now on, one a line, until Ctrl-C or after N messages.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast subscribe --agent 127.0.0.1:7700",
      "  treecast subscribe --count 1 --output json | jq -r .payload | base64 -d"
    })
final class SubscribeCommand implements Callable<Integer> {
  @Mixin private AgentOption agent = new AgentOption();
  @Mixin private OutputOption output = new OutputOption();
  @Mixin private CountOption count = new CountOption();

  @Override
  public Integer call() {
    EventFollower follower = new EventFollower(output, count.events());
    HostPort address = agent.address();
    // The client waits for an agent that is down; a person wants to know at once.
    AgentInquiry.report(address);
    try (Treecast treecast = Treecast.connect(address.toString())) {
      return follower.follow(treecast.subscribe(new Printer(follower)), "subscribed at");
    }
  }

  private final class Printer implements MessageHandler {
    private final EventFollower follower;

    Printer(EventFollower follower) {
      this.follower = follower;
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
          });
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
            .put("sequence", message.sequence())
            .put("bytes", message.payload().length)
            .put("payload", Base64.getEncoder().encodeToString(message.payload())));
  }

  private static String line(Message message) {
    String text = PayloadText.of(message.payload());
    return message.origin()
        + " #"
        + message.sequence()
        + " ("
        + Plural.of(message.payload().length, "byte")
        + (text == null ? ", binary)" : text.isEmpty() ? ")" : ") " + text);
  }
}
