@NullMarked
package io.treecast.collectives.broadcast.order;

import org.jspecify.annotations.NullMarked;
