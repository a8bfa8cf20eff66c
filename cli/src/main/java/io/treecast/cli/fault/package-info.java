/**
 * {@code treecast fault}: injects faults of links and agents in a cluster that allows them, lists
 * them and heals them.
 */
@NullMarked
package io.treecast.cli.fault;

import org.jspecify.annotations.NullMarked;
