/** {@code treecast agent}: one agent in a process of its own. */
@NullMarked
package io.treecast.cli.agent;

import org.jspecify.annotations.NullMarked;
