/**
 * {@code treecast bench}: the throughput of real agents compared with plain gRPC streams and
 * relays.
 */
@NullMarked
package io.treecast.cli.bench;

import org.jspecify.annotations.NullMarked;
