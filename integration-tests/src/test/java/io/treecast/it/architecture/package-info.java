/** Rules on the shape of the source that the compiler does not know. */
@NullMarked
package io.treecast.it.architecture;

import org.jspecify.annotations.NullMarked;
