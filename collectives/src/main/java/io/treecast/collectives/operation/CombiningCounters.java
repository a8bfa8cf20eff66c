package io.treecast.collectives.operation;

/**
 * What {@link Combining} has done and keeps now.
 *
 * @param completed calls of this agent's applications that ended with a result
 * @param failed those that ended without
 * @param sentMessages to neighbours
 * @param underWay operations without a result here, those of others included
 * @param keptBytes what contributions and results take
 */
public record CombiningCounters(
    long completed, long failed, long sentMessages, int underWay, long keptBytes) {}
