/** Poses as the layer of that name. */
@NullMarked
package io.treecast.it.architecture.sinful.client;

import org.jspecify.annotations.NullMarked;
