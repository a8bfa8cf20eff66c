package io.treecast.agent.core.contract;

/**
 * Broadcasts of local applications that were not sent at once. Immutable.
 *
 * @param waiting how many wait now, for a tree or for room
 * @param waits how many have waited, those that still wait aside
 * @param waitedNanos how long these waited together
 * @param refused how many were refused for want of room, at once or when their time was over
 */
public record PublishCounters(int waiting, long waits, long waitedNanos, long refused) {}
