/**
 * {@code treecast links}, {@code why} and {@code series}: what is measured of the links, and what
 * follows from it.
 */
@NullMarked
package io.treecast.cli.links;

import org.jspecify.annotations.NullMarked;
