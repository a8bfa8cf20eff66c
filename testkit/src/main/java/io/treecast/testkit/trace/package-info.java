/**
 * A measured trace of round trips, replayed by agents in virtual time, and the report of the trees
 * that they built.
 */
@NullMarked
package io.treecast.testkit.trace;

import org.jspecify.annotations.NullMarked;
