package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a broadcast that the agent has accepted.
 *
 * @param messageId the id of the broadcast, which subscribers see, too
 * @param treeVersion the version of the tree of round trips at the publication, whose members are
 *     asked to confirm
 * @param tree the tree that carried it; null for an upload during which that tree changed, or if
 *     the agent does not report it
 * @param replicas the number of other members that had all of it when the agent answered, if the
 *     publisher {@linkplain BroadcastOptions#withReplicas waits} for replicas; otherwise 0
 * @param confirmation the members that have delivered it; null if they were not asked to confirm
 */
public record BroadcastResult(
    MessageId messageId,
    long treeVersion,
    @Nullable DisseminationTree tree,
    int replicas,
    @Nullable Confirmation confirmation) {

  BroadcastResult withConfirmation(Confirmation known) {
    return new BroadcastResult(messageId, treeVersion, tree, replicas, known);
  }
}
