package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The messages that a subscription begins with. */
public sealed interface SubscriptionStart {

  /** Each stream from the next message that begins. */
  record Now() implements SubscriptionStart {}

  /** Everything that the log retains, each message from its first chunk. */
  record Retained() implements SubscriptionStart {}

  /**
   * Everything after given messages. Content that the log no longer retains is reported as a gap. A
   * stream without a given message begins with its first message.
   *
   * @param messages the last message already received of each stream
   */
  record After(List<MessageId> messages) implements SubscriptionStart {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if two messages are of one stream
     */
    public After {
      messages = List.copyOf(messages);
      Set<StreamId> streams = new HashSet<>();
      for (MessageId message : messages) {
        if (!streams.add(message.stream())) {
          throw new IllegalArgumentException(
              "two positions are in stream " + message.stream() + "; only one can be the last");
        }
      }
    }
  }
}
