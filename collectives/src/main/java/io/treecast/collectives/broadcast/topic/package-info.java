/**
 * Interest: the topics that neighbours, and members behind them, want; and the ends of the streams
 * of a topic for members that did not want it before.
 *
 * <p>In scope: reports and acknowledgements of interest. Out of scope: the content, which edges
 * carry.
 */
@NullMarked
package io.treecast.collectives.broadcast.topic;

import org.jspecify.annotations.NullMarked;
