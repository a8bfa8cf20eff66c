package io.treecast.client;

import org.jspecify.annotations.Nullable;

/**
 * The size of one map of shared values, or of one best value, at an agent.
 *
 * @param name its name
 * @param best which number is better; null for {@link Values}
 * @param entries how many entries
 * @param bytes what they take, at least 200 each
 */
public record ValuesSize(String name, @Nullable Best best, int entries, long bytes) {}
