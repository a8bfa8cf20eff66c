package io.treecast.collectives.operation.contract;

import io.treecast.collectives.operation.Combining;

/**
 * The work of {@link Combining}, and the memory that it uses now.
 *
 * @param completed calls of this agent's applications that ended with a result
 * @param failed calls that ended without a result
 * @param sentMessages messages sent to neighbours
 * @param underWay operations without a result here, those of others included
 * @param keptBytes memory of contributions and results
 */
public record CombiningCounters(
    long completed, long failed, long sentMessages, int underWay, long keptBytes) {}
