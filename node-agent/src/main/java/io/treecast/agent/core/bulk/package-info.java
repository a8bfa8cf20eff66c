/** Measures the throughput of links by bulk probes, in turns within a clique. */
@NullMarked
package io.treecast.agent.core.bulk;

import org.jspecify.annotations.NullMarked;
