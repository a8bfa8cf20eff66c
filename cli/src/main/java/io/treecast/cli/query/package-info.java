/** Questions to agents that run, and their answers: one agent, or every agent of a cluster. */
@NullMarked
package io.treecast.cli.query;

import org.jspecify.annotations.NullMarked;
