/** Tests of the clock: random networks of members whose clocks drift, against the true time. */
@NullMarked
package io.treecast.collectives.clock;

import org.jspecify.annotations.NullMarked;
