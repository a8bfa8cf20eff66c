@NullMarked
package io.treecast.collectives.broadcast.message;

import org.jspecify.annotations.NullMarked;
