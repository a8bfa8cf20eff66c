/**
 * The common parts of all clusters of agents, in virtual or real time: faults, observations, and
 * verdicts on them.
 */
@NullMarked
package io.treecast.testkit.cluster;

import org.jspecify.annotations.NullMarked;
