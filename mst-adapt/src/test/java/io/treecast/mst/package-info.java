@NullMarked
package io.treecast.mst;

import org.jspecify.annotations.NullMarked;
