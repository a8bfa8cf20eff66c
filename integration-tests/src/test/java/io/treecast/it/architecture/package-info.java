/** Rules on the structure of the source that the compiler does not check. */
@NullMarked
package io.treecast.it.architecture;

import org.jspecify.annotations.NullMarked;
