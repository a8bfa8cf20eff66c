/**
 * What all clusters of agents have in common, in virtual time or real: faults, what was observed,
 * and how to judge it.
 */
@NullMarked
package io.treecast.testkit.cluster;

import org.jspecify.annotations.NullMarked;
