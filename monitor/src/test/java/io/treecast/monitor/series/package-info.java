@NullMarked
package io.treecast.monitor.series;

import org.jspecify.annotations.NullMarked;
