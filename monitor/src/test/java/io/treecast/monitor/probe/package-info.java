@NullMarked
package io.treecast.monitor.probe;

import org.jspecify.annotations.NullMarked;
