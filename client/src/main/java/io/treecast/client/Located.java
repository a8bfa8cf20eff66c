package io.treecast.client;

import java.nio.IntBuffer;

/**
 * The lowest or highest elements of the vectors of all members, and the members that have them.
 *
 * @param values the elements
 * @param members for each element, the position of its member among the contributors, from 0; if
 *     several members have equal elements, the first of them
 */
public record Located(NumberVector values, IntBuffer members) {}
