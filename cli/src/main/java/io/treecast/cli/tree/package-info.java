/** {@code treecast tree}: shows, watches and verifies the tree that the agents have. */
@NullMarked
package io.treecast.cli.tree;

import org.jspecify.annotations.NullMarked;
