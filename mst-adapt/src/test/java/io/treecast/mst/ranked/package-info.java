@NullMarked
package io.treecast.mst.ranked;

import org.jspecify.annotations.NullMarked;
