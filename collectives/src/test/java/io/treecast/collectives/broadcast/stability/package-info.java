@NullMarked
package io.treecast.collectives.broadcast.stability;

import org.jspecify.annotations.NullMarked;
