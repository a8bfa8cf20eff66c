package io.treecast.client;

/**
 * What the agent answered when it accepted a broadcast.
 *
 * @param messageId the name it gave to the broadcast; subscribers see the same
 * @param treeVersion the version of the committed tree that it was sent on
 */
public record BroadcastResult(MessageId messageId, long treeVersion) {}
