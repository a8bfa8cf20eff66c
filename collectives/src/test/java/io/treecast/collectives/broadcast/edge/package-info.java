@NullMarked
package io.treecast.collectives.broadcast.edge;

import org.jspecify.annotations.NullMarked;
