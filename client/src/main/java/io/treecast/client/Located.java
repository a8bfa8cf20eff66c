package io.treecast.client;

import java.nio.IntBuffer;

/**
 * The least or greatest elements of the vectors of all members, and the members that have them.
 *
 * @param values the elements
 * @param members for each element the place of its member among the contributors, from 0; the first
 *     of several members with equal elements
 */
public record Located(NumberVector values, IntBuffer members) {}
