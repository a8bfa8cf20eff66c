/**
 * The common parts of commands that start a cluster: options for its network and thresholds, the
 * names and sites of its nodes, and reports of its trees and broadcasts. Questions to running
 * clusters are in {@code io.treecast.cli.query}.
 */
@NullMarked
package io.treecast.cli.cluster;

import org.jspecify.annotations.NullMarked;
