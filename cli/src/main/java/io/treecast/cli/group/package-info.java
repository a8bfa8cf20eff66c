/** {@code treecast group}: lists, watches and joins groups of members. */
@NullMarked
package io.treecast.cli.group;

import org.jspecify.annotations.NullMarked;
