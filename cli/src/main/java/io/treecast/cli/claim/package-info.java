/**
 * {@code treecast claim}: runs a command while a claim is held, and shows the holder of a claim.
 */
@NullMarked
package io.treecast.cli.claim;

import org.jspecify.annotations.NullMarked;
