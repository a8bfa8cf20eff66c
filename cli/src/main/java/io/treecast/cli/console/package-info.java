/**
 * Common parts of all commands: options, exit codes, failures, output, and numbers as text.
 * Questions to agents are in {@code io.treecast.cli.query}.
 */
@NullMarked
package io.treecast.cli.console;

import org.jspecify.annotations.NullMarked;
