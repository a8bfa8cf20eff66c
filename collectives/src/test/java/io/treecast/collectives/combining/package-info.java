@NullMarked
package io.treecast.collectives.combining;

import org.jspecify.annotations.NullMarked;
