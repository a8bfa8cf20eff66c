package io.treecast.client;

/**
 * An entry of shared {@link Values}. Immutable if its value is.
 *
 * @param key its key in the map
 * @param value the decoded value
 * @param origin the member at which it was written
 * @param isEphemeral whether it ends with the application that has written it
 * @param <T> the type of the value
 */
public record ValueEntry<T>(String key, T value, String origin, boolean isEphemeral) {}
