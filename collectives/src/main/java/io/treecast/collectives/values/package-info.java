/**
 * Shared values: named maps of which all members have copies that become equal. Each map has a rule
 * that chooses one of two entries of a key, whatever their order. Changes flow along the edges of
 * the tree, and neighbours compare their states when an edge begins. {@link
 * io.treecast.collectives.values.Values} is the facade.
 *
 * <p>Out of scope: the calls of applications, and consensus.
 */
@NullMarked
package io.treecast.collectives.values;

import org.jspecify.annotations.NullMarked;
