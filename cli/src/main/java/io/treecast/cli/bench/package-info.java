/**
 * {@code treecast bench}: the throughput of real agents compared with plain gRPC streams and
 * relays, reductions of large vectors, and the speed-up of jobs.
 */
@NullMarked
package io.treecast.cli.bench;

import org.jspecify.annotations.NullMarked;
