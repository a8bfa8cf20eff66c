package io.treecast.agent.core.contract;

/**
 * Counters of broadcasts of local applications that were not sent at once. Immutable.
 *
 * @param waiting the number queued now, for a tree or for room
 * @param waits the number that have left the queue
 * @param waitedNanos their total time in the queue
 * @param refused the number refused for lack of room, at once or at their deadline
 */
public record PublishCounters(int waiting, long waits, long waitedNanos, long refused) {}
