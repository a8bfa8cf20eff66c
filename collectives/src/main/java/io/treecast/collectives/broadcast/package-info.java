/**
 * Broadcast by replicated logs along the committed tree. {@link
 * io.treecast.collectives.broadcast.BroadcastRelay} is the entry point: it composes the packages
 * below, and its Javadoc explains flow control and why it cannot deadlock.
 *
 * <p>The packages, from the bottom up. Each may use those before it:
 *
 * <ol>
 *   <li>{@code tree}: a member's place in the committed tree, and paths along it
 *   <li>{@code message}: names of streams, positions and messages, and the messages on edges
 *   <li>{@code contract}: limits, effects, and options and refusals of callers
 *   <li>{@code log}: the log of each stream, and the positions of forgotten streams
 *   <li>{@code topic}: the topics that neighbours want, and the ends of streams
 *   <li>{@code stability}: the positions that all members have, and the absent members
 *   <li>{@code edge}: the two directions of an edge of the tree, and their credit
 *   <li>{@code order}: total order of a topic
 *   <li>{@code subscribe}: the subscribers at this member
 *   <li>{@code stream}: streams that begin, end, arrive and are claimed by neighbours
 *   <li>{@code receipt}: confirmations of delivery, and reports of replicas
 *   <li>{@code publish}: the publishers at this member, and uploads
 * </ol>
 *
 * <p>One thread, the relay's, owns every object of these packages. They own no socket, thread,
 * clock, random source or logger.
 */
@NullMarked
package io.treecast.collectives.broadcast;

import org.jspecify.annotations.NullMarked;
