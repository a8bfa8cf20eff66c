package io.treecast.client;

import java.nio.IntBuffer;

/**
 * The least or greatest elements of the vectors of all members, and the members that have them.
 *
 * @param values the elements
 * @param members for each element the number of its member among the contributors, in their order
 *     and from 0: of several members with an equal element, the first
 */
public record Located(NumberVector values, IntBuffer members) {}
