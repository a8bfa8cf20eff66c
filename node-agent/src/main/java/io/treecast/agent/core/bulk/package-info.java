/**
 * Measures the throughput of links, from transfers and by bulk probes in turns within a clique. The
 * algorithms of probes and tokens belong to {@code io.treecast.monitor}.
 */
@NullMarked
package io.treecast.agent.core.bulk;

import org.jspecify.annotations.NullMarked;
