/**
 * The {@code treecast} command: its entry point, the list of subcommands, shell completion, and the
 * commands that concern the program itself. All other commands have packages of their own. Exit
 * codes are in {@link io.treecast.cli.console.ExitCode}.
 */
@NullMarked
package io.treecast.cli;

import org.jspecify.annotations.NullMarked;
