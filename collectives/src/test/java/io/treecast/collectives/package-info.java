@NullMarked
package io.treecast.collectives;

import org.jspecify.annotations.NullMarked;
