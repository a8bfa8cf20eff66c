package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The size of a map of shared values, or of a best value, at an agent.
 *
 * @param name its name
 * @param best the rule of a best value; null for {@link Values}
 * @param entries the number of entries
 * @param bytes the memory of the entries, at least 200 bytes each
 */
public record ValuesSize(String name, @Nullable Best best, int entries, long bytes) {}
