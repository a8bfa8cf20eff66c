/** Poses as the layer of that name. */
@NullMarked
package io.treecast.it.architecture.sinful.collectives;

import org.jspecify.annotations.NullMarked;
