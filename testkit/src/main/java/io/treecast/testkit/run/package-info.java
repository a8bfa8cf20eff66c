/**
 * Runs of schedules on clusters in virtual or real time, with a report of the effects of each
 * event.
 */
@NullMarked
package io.treecast.testkit.run;

import org.jspecify.annotations.NullMarked;
