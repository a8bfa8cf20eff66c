package io.treecast.agent.core.contract;

/**
 * Broadcasts of local applications that were not sent at once. Immutable.
 *
 * @param waiting how many wait now, for a tree or for room
 * @param waits how many waited that wait no longer
 * @param waitedNanos how long those waited together that wait no longer
 * @param refused how many were refused for want of room, at once or when their time was over
 */
public record PublishCounters(int waiting, long waits, long waitedNanos, long refused) {}
