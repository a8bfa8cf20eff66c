/** The commands for shared values and best values. */
@NullMarked
package io.treecast.cli.values;

import org.jspecify.annotations.NullMarked;
