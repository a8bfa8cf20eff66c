/** Tests of clusters of real agents in this JVM, by clients as in applications. */
@NullMarked
package io.treecast.it.cluster;

import org.jspecify.annotations.NullMarked;
