/** Poses as the layer of that name. */
@NullMarked
package io.treecast.it.architecture.sinful.monitor;

import org.jspecify.annotations.NullMarked;
