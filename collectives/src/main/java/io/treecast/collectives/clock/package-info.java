/**
 * The time of the root of the committed tree at each member, with a bound of its error. {@link
 * io.treecast.collectives.clock.ClusterClock} is the entry point.
 *
 * <p>One thread owns every object of this package. They own no socket, thread, clock, random source
 * or logger.
 */
@NullMarked
package io.treecast.collectives.clock;

import org.jspecify.annotations.NullMarked;
