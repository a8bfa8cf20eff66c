/**
 * {@code treecast links}, {@code why} and {@code series}: the measurements of links, their history,
 * and the decisions of the tree about them.
 */
@NullMarked
package io.treecast.cli.links;

import org.jspecify.annotations.NullMarked;
