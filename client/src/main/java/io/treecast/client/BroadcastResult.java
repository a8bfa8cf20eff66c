package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * What became of a broadcast that the agent accepted.
 *
 * @param messageId the name it gave to the broadcast; subscribers see the same
 * @param treeVersion the version of the committed tree that it was sent on
 * @param confirmation which members have delivered it; null if they were not asked to confirm
 */
public record BroadcastResult(
    MessageId messageId, long treeVersion, @Nullable Confirmation confirmation) {

  BroadcastResult withConfirmation(Confirmation known) {
    return new BroadcastResult(messageId, treeVersion, known);
  }
}
