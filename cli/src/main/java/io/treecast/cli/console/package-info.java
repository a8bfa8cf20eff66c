/** The common parts of all commands: streams, exit codes, failures, numbers as people read them. */
@NullMarked
package io.treecast.cli.console;

import org.jspecify.annotations.NullMarked;
