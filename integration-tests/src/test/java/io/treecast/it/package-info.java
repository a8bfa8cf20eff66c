/** Tests that need the whole of Treecast: clusters, processes, the command line. */
@NullMarked
package io.treecast.it;

import org.jspecify.annotations.NullMarked;
