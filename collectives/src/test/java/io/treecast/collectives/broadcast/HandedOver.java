package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The items that a relay has handed to one subscriber in one subscription, compared with its
 * entitlement.
 */
final class HandedOver {
  private final NodeId member;
  private final SubscribeOptions options;
  private final List<MessageId> after;
  private final Set<MessageId> delivered;
  private final Set<MessageId> messages = new HashSet<>();

  /**
   * Creates an empty record.
   *
   * @param member of the subscriber
   * @param options of the subscription
   * @param after the last message of each stream before the entitlement
   * @param delivered everything that the node had delivered to all earlier subscribers
   */
  HandedOver(
      NodeId member, SubscribeOptions options, List<MessageId> after, Set<MessageId> delivered) {
    this.member = member;
    this.options = options;
    this.after = after;
    this.delivered = delivered;
  }

  void add(Chunk chunk) {
    if (chunk.last()) {
      messages.add(chunk.messageId());
    }
  }

  boolean has(MessageId message) {
    return messages.contains(message);
  }

  /**
   * Returns whether the subscriber has a message, or is not entitled to it, or came when all others
   * had it.
   */
  boolean hasWhatIsDue(MessageId message) {
    return !options.accepts(message.stream(), member)
        || messages.contains(message)
        || delivered.contains(message)
        || after.stream()
            .anyMatch(
                last ->
                    last.stream().equals(message.stream())
                        && message.sequence() <= last.sequence());
  }
}
