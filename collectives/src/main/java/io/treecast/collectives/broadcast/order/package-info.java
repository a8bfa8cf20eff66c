/**
 * Total order of a topic: the root of the tree decides the order, members announce and read it, and
 * an order is resumed when the tree changes.
 */
@NullMarked
package io.treecast.collectives.broadcast.order;

import org.jspecify.annotations.NullMarked;
