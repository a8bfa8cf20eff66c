@NullMarked
package io.treecast.collectives.broadcast;

import org.jspecify.annotations.NullMarked;
