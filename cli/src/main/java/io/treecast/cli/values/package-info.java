/**
 * {@code treecast values} and {@code best}: the commands for maps of shared values and for best
 * values.
 */
@NullMarked
package io.treecast.cli.values;

import org.jspecify.annotations.NullMarked;
