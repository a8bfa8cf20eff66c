/** The commands for groups: sets of members that agents know by a path. */
@NullMarked
package io.treecast.cli.group;

import org.jspecify.annotations.NullMarked;
