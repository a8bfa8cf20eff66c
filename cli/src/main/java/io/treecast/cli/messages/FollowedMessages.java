package io.treecast.cli.messages;

import io.treecast.cli.console.EventFollower;
import io.treecast.cli.console.OutputOption;
import io.treecast.cli.query.TreeJson;
import io.treecast.client.MessageHandler;
import io.treecast.client.MessageId;
import io.treecast.client.MissedMessages;
import io.treecast.client.Positions;
import io.treecast.client.TreecastException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Handler of a subscription that a command follows. It keeps the positions of printed messages and
 * prints missed ones. Called on the subscription's thread, except {@link #positions}.
 */
abstract class FollowedMessages implements MessageHandler {
  private final OutputOption output;
  private final EventFollower follower;
  private final boolean mayReplay;

  private volatile @Nullable Positions positions;

  /**
   * Creates the handler.
   *
   * @param mayReplay whether the subscription begins with earlier messages
   */
  FollowedMessages(OutputOption output, EventFollower follower, boolean mayReplay) {
    this.output = output;
    this.follower = follower;
    this.mayReplay = mayReplay;
  }

  /** Returns the positions of the printed messages; null before the beginning is known. */
  final @Nullable Positions positions() {
    return positions;
  }

  /** Prints a message, unless enough were printed before. */
  final void event(MessageId message, Runnable print) {
    follower.event(
        () -> {
          print.run();
          Positions before = positions;
          positions = before == null ? null : before.with(message);
        });
  }

  @Override
  public final void onBegan(Positions begin) {
    positions = begin;
  }

  @Override
  public final void onMissed(MissedMessages missed) {
    if (output.isJson()) {
      printJson(missed);
    } else {
      output.note(line(missed));
    }
    Positions before = positions;
    positions = before == null ? null : before.with(missed);
  }

  private void printJson(MissedMessages missed) {
    output.println(
        TreeJson.object()
            .put("event", "missed")
            .put("origin", missed.origin())
            .put("incarnation", String.format("%016x", missed.incarnation()))
            .put("topic", missed.topic())
            .put("lane", missed.lane())
            .put("firstSequence", missed.firstSequence())
            .put("lastSequence", missed.lastSequence())
            .put("reason", missed.reason().name().toLowerCase(Locale.ROOT).replace('_', '-')));
  }

  /**
   * Returns a line about missed messages. It has the incarnation of the origin, since the missed
   * messages may be from an earlier one with other sequence numbers.
   */
  static String line(MissedMessages missed) {
    boolean isOne = missed.firstSequence() == missed.lastSequence();
    String why =
        switch (missed.reason()) {
          case AGENT_AWAY -> "the agent was away for longer than the logs of the others reach";
          case NOT_RETAINED -> "the agent's log does not retain " + (isOne ? "it" : "them");
          case SKIPPED -> (isOne ? "it was" : "they were") + " skipped, not taken in time";
          case TOO_LARGE -> (isOne ? "it is" : "they are") + " too large";
          case NO_ROOM -> "too many arrived at the same time";
          case UNKNOWN -> "the agent gave no reason";
        };
    return "missed "
        + missed.origin()
        + "/"
        + String.format("%016x", missed.incarnation())
        + " #"
        + missed.firstSequence()
        + (isOne ? "" : " to #" + missed.lastSequence())
        + MessageName.stream(missed.topic(), missed.lane())
        + ": "
        + why;
  }

  @Override
  public final void onFailed(MessageId id, TreecastException why) {
    output.note("lost: " + why.getMessage());
  }

  @Override
  public final void onLive() {
    if (mayReplay && output.isJson()) {
      output.println(TreeJson.object().put("event", "live"));
    } else if (mayReplay) {
      output.note("live: messages from now on are new");
    }
  }

  @Override
  public final void onInterrupted(String reason) {
    follower.onInterrupted(reason);
  }

  @Override
  public final void onRefused(String reason) {
    follower.onRefused(reason);
  }

  @Override
  public final void onUnavailable(TreecastException why) {
    follower.onUnavailable(why);
  }

  @Override
  public final void onResumed() {
    follower.onResumed();
  }
}
