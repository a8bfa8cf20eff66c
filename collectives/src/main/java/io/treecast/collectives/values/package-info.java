/**
 * Shared values: named maps that all members hold, and that become equal. Each map has a rule that
 * decides which of two entries of a key stays, whatever their order. Changes flow along the edges
 * of the tree, and neighbours compare their states when an edge begins. {@link
 * io.treecast.collectives.values.Values} is the facade.
 *
 * <p>Out of scope: the calls of applications, and a stronger guarantee than that maps become equal.
 */
@NullMarked
package io.treecast.collectives.values;

import org.jspecify.annotations.NullMarked;
