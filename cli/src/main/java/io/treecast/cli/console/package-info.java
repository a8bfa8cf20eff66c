/** The common parts of all commands: options, exit codes, failures, numbers as people read them. */
@NullMarked
package io.treecast.cli.console;

import org.jspecify.annotations.NullMarked;
