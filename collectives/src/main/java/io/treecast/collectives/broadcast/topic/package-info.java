/**
 * Interest: which neighbours, and which members behind them, want a topic; and where the streams of
 * a topic end for members that did not want it before.
 */
@NullMarked
package io.treecast.collectives.broadcast.topic;

import org.jspecify.annotations.NullMarked;
