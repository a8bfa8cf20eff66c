package io.treecast.cli.messages;

import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.console.PayloadText;
import io.treecast.cli.console.Plural;
import io.treecast.client.Message;
import io.treecast.client.MessageId;
import io.treecast.client.OrderPosition;
import io.treecast.client.PayloadSink;
import io.treecast.client.TreecastException;
import java.nio.ByteBuffer;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/** Prints each message of a subscription. Called on the subscription's thread. */
final class MessagePrinter extends FollowedMessages {
  private final OutputOption output;

  MessagePrinter(OutputOption output, EventFollower follower, boolean mayReplay) {
    super(output, follower, mayReplay);
    this.output = output;
  }

  @Override
  public void onMessage(Message message) {
    event(
        message.messageId(),
        () -> {
          if (output.isJson()) {
            output.println(json(message));
          } else {
            output.println(line(message));
          }
        });
  }

  private static ObjectNode json(Message message) {
    ObjectNode json =
        MessageName.json(message.messageId())
            .put("bytes", message.payload().length)
            .put("payload", Base64.getEncoder().encodeToString(message.payload()));
    OrderPosition position = message.position();
    if (position != null) {
      json.putObject("position").put("epoch", position.epoch()).put("number", position.number());
    }
    return json;
  }

  private static String line(Message message) {
    String text = PayloadText.of(message.payload());
    OrderPosition position = message.position();
    return (position == null ? "" : position + " ")
        + MessageName.of(message.messageId())
        + " ("
        + Plural.of(message.payload().length, "byte")
        + (text == null ? ", binary)" : text.isEmpty() ? ")" : ") " + text);
  }

  @Override
  public PayloadSink onLargeMessage(MessageId id) {
    return new Large(id);
  }

  /** A message that is too large to print; its size is printed. */
  private final class Large implements PayloadSink {
    private final MessageId id;
    private long bytes;

    Large(MessageId id) {
      this.id = id;
    }

    @Override
    public void chunk(ByteBuffer chunk) {
      bytes += chunk.remaining();
    }

    @Override
    public void complete() {
      event(
          id,
          () -> {
            if (output.isJson()) {
              output.println(MessageName.json(id).put("bytes", bytes).put("tooLarge", true));
            } else {
              output.println(
                  "%s (%s, too large to show; --save keeps it)"
                      .formatted(MessageName.of(id), Plural.of(bytes, "byte")));
            }
          });
    }

    @Override
    public void failed(TreecastException why) {}
  }
}
