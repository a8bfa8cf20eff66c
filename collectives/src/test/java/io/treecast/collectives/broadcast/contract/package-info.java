@NullMarked
package io.treecast.collectives.broadcast.contract;

import org.jspecify.annotations.NullMarked;
