/**
 * Common parts of all clusters of agents, in virtual or real time: the interface of a cluster, its
 * faults, the record of its commits and deliveries, and verdicts on trees and broadcasts. The
 * clusters themselves are in {@code io.treecast.testkit.sim} and {@code io.treecast.testkit.local}.
 */
@NullMarked
package io.treecast.testkit.cluster;

import org.jspecify.annotations.NullMarked;
