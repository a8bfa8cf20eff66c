/**
 * The output streams of the process: the width and character set of the terminal, detection of a
 * reader that has exited, reasons of failed writes, and an output that does not block an agent.
 */
@NullMarked
package io.treecast.cli.output;

import org.jspecify.annotations.NullMarked;
