/** Clusters of real agents in one JVM over loopback, with emulated latencies of a topology. */
@NullMarked
package io.treecast.testkit.local;

import org.jspecify.annotations.NullMarked;
