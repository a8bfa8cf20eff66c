/**
 * Latency, limited throughput and faults that an agent emulates on its own links, for tests and
 * demonstrations. Without a configured latency or fault, streams bypass this package.
 */
@NullMarked
package io.treecast.agent.transport.emulation;

import org.jspecify.annotations.NullMarked;
