/**
 * Divide and conquer over members that run the same program. {@link io.treecast.jobs.Jobs} is the
 * entry point. This package owns the threads and the messages; {@link io.treecast.jobs.schedule}
 * decides which task runs where.
 */
@NullMarked
package io.treecast.jobs;

import org.jspecify.annotations.NullMarked;
