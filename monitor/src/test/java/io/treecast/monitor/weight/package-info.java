@NullMarked
package io.treecast.monitor.weight;

import org.jspecify.annotations.NullMarked;
