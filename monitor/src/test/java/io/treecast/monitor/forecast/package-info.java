@NullMarked
package io.treecast.monitor.forecast;

import org.jspecify.annotations.NullMarked;
