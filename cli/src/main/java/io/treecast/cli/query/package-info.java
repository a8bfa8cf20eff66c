/**
 * Questions to running agents and their answers, for one agent or all members of a cluster, with
 * the options for the agent's address. Commands interpret the answers in their own packages.
 */
@NullMarked
package io.treecast.cli.query;

import org.jspecify.annotations.NullMarked;
