/**
 * {@code treecast tree} and {@code what-if}: drawings, changes, verification and prediction of the
 * agents' trees.
 */
@NullMarked
package io.treecast.cli.tree;

import org.jspecify.annotations.NullMarked;
