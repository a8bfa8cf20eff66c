package io.treecast.client;

/**
 * The best offer at an agent; see {@link BestValue}. Immutable if its value is.
 *
 * @param number the offered number
 * @param value the value offered with the number
 * @param origin the member at which it was offered
 * @param <T> the type of the value
 */
public record BestOffer<T>(double number, T value, String origin) {}
