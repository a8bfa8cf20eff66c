/**
 * {@code treecast simulate}: runs of a cluster in virtual time, with broadcasts from all nodes, a
 * schedule of events, or a recorded network, and their reports. Schedules can also run on real
 * agents.
 */
@NullMarked
package io.treecast.cli.simulate;

import org.jspecify.annotations.NullMarked;
