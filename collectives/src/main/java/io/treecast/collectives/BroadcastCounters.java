package io.treecast.collectives;

/**
 * What a {@link BroadcastRelay} has done since it was made, and how much waits in it now.
 *
 * @param publishedMessages messages accepted from local publishers
 * @param deliveredMessages messages handed completely to a local subscriber, once for each
 * @param forwardedChunks chunks sent to a neighbour, once for each, those published here included
 * @param duplicateChunks chunks received that had been received before, and dropped
 * @param lostChunks chunks that a closed data stream kept from a neighbour, once for each; what was
 *     sent on the stream and had not arrived is not among them
 * @param waitingBytes cost of the chunks that wait here for a neighbour, a subscriber or the tree
 */
public record BroadcastCounters(
    long publishedMessages,
    long deliveredMessages,
    long forwardedChunks,
    long duplicateChunks,
    long lostChunks,
    long waitingBytes) {}
