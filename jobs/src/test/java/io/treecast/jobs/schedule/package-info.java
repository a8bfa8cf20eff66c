/** Schedulers in a simulated network: random faults, and figures in virtual time. */
@NullMarked
package io.treecast.jobs.schedule;

import org.jspecify.annotations.NullMarked;
