/** Clusters of real agents in this JVM, used as applications use them. */
@NullMarked
package io.treecast.it.cluster;

import org.jspecify.annotations.NullMarked;
