/** The commands that take part in collective operations: barrier, reduce, gather, scatter. */
@NullMarked
package io.treecast.cli.collective;

import org.jspecify.annotations.NullMarked;
