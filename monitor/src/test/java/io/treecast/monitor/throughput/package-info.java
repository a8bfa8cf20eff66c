@NullMarked
package io.treecast.monitor.throughput;

import org.jspecify.annotations.NullMarked;
