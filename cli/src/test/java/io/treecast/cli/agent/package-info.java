/** Tests of the command that runs an agent. */
@NullMarked
package io.treecast.cli.agent;

import org.jspecify.annotations.NullMarked;
