@NullMarked
package io.treecast.monitor;

import org.jspecify.annotations.NullMarked;
