/**
 * The {@code treecast} command: nouns first, {@code --output json} on all, exit codes in {@link
 * io.treecast.cli.console.ExitCode}.
 */
@NullMarked
package io.treecast.cli;

import org.jspecify.annotations.NullMarked;
