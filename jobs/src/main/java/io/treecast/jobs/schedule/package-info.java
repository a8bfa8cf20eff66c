/**
 * The decisions on the member of each task: the deque of a member, steals, loans, results, and the
 * best value. Input is events with their time, output is effects. The package owns no thread,
 * socket, clock, random source or logger.
 *
 * <p>The scheduler implements cluster-aware random work stealing: R. van Nieuwpoort, T. Kielmann
 * and H. Bal, Efficient load balancing for wide-area divide-and-conquer applications, PPoPP 2001,
 * section 3.5. {@link io.treecast.jobs.schedule.Scheduler} is the entry point.
 */
@NullMarked
package io.treecast.jobs.schedule;

import org.jspecify.annotations.NullMarked;
