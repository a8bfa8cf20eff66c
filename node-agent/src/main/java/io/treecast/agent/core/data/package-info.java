/**
 * Data streams along the trees: opens, watches and closes them, and connects them with the services
 * of {@code io.treecast.collectives}, which are broadcasts, collective operations, claims, groups,
 * shared values and the root's time. Converts times between the clocks of two agents. The services'
 * rules belong to {@code collectives}.
 */
@NullMarked
package io.treecast.agent.core.data;

import org.jspecify.annotations.NullMarked;
