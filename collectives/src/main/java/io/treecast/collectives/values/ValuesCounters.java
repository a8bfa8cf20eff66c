package io.treecast.collectives.values;

/**
 * Counts of {@link Values}. Immutable.
 *
 * @param entries entries that readers see
 * @param bytes memory of all entries and tombstones
 * @param sentUpdates messages with entries to neighbours
 * @param sentMessages all messages to neighbours
 * @param takenEntries entries of neighbours that replaced older ones
 * @param refusedEntries entries of neighbours for which there was no space
 */
public record ValuesCounters(
    int entries,
    long bytes,
    long sentUpdates,
    long sentMessages,
    long takenEntries,
    long refusedEntries) {}
