/**
 * Meters of an agent and of its links for Micrometer. They read snapshots of the state, and change
 * nothing.
 */
@NullMarked
package io.treecast.agent.runtime.metrics;

import org.jspecify.annotations.NullMarked;
