@NullMarked
package io.treecast.collectives.group;

import org.jspecify.annotations.NullMarked;
