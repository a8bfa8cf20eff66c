@NullMarked
package io.treecast.collectives.broadcast.receipt;

import org.jspecify.annotations.NullMarked;
