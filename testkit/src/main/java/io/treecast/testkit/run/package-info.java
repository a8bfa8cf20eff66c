/** Runs schedules on clusters, virtual or real, and reports what each event led to. */
@NullMarked
package io.treecast.testkit.run;

import org.jspecify.annotations.NullMarked;
