/**
 * Divide and conquer over members that run the same program. {@link io.treecast.jobs.Jobs} is the
 * entry point. This package owns the threads and the messages; {@link io.treecast.jobs.schedule}
 * decides at which member each task runs.
 */
@NullMarked
package io.treecast.jobs;

import org.jspecify.annotations.NullMarked;
