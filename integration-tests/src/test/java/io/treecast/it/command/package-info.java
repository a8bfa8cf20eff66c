/** The command, run as a process of its own. */
@NullMarked
package io.treecast.it.command;

import org.jspecify.annotations.NullMarked;
