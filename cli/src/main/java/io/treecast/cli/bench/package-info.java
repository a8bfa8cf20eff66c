/** {@code treecast bench}: throughput of real agents beside a plain gRPC stream. */
@NullMarked
package io.treecast.cli.bench;

import org.jspecify.annotations.NullMarked;
