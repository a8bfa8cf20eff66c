/** Whole clusters, real or simulated: over which network they run, and what came of it. */
@NullMarked
package io.treecast.cli.cluster;

import org.jspecify.annotations.NullMarked;
