/** Tests of the command as a separate process. */
@NullMarked
package io.treecast.it.command;

import org.jspecify.annotations.NullMarked;
