/**
 * The streams that the process prints to: their width and character set, a reader that is gone, a
 * full disk, and a pipe that nobody reads and that must not stop an agent.
 */
@NullMarked
package io.treecast.cli.output;

import org.jspecify.annotations.NullMarked;
