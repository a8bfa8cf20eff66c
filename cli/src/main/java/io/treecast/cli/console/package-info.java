/** What every command shares: streams, exit codes, failures, numbers as people read them. */
@NullMarked
package io.treecast.cli.console;

import org.jspecify.annotations.NullMarked;
