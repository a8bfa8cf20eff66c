@NullMarked
package io.treecast.collectives.broadcast.log;

import org.jspecify.annotations.NullMarked;
