@NullMarked
package io.treecast.collectives.broadcast.stream;

import org.jspecify.annotations.NullMarked;
