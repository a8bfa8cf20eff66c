@NullMarked
package io.treecast.collectives.operation;

import org.jspecify.annotations.NullMarked;
