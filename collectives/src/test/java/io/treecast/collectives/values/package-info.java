/** Tests of shared values. */
@NullMarked
package io.treecast.collectives.values;

import org.jspecify.annotations.NullMarked;
