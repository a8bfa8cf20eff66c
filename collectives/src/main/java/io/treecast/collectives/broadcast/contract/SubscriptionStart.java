package io.treecast.collectives.broadcast.contract;

import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a subscription begins with. */
public sealed interface SubscriptionStart {

  /** The next message of each stream that begins. */
  record Now() implements SubscriptionStart {}

  /** What the log retains, each message from its first chunk. */
  record Retained() implements SubscriptionStart {}

  /**
   * Everything that comes after what was had before. What the log does not reach back to is a gap.
   * A stream of which nothing was had begins with its first message.
   *
   * @param messages the last one that was had of each stream
   */
  record After(List<MessageId> messages) implements SubscriptionStart {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if two are of one stream
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
