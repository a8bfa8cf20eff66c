/**
 * Total order of a topic: the root of the tree assigns each message a place, members decide the
 * places and read them, and the order is resumed when the tree changes.
 *
 * <p>Out of scope: the messages themselves, which the log replicates in the order of each stream.
 */
@NullMarked
package io.treecast.collectives.broadcast.order;

import org.jspecify.annotations.NullMarked;
