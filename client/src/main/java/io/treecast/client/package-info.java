/**
 * The client library for applications: broadcast along the tree, subscribe to broadcasts, take part
 * in collective operations, watch the tree. {@link io.treecast.client.Treecast} is the entry point.
 *
 * <p>No public signature here has a gRPC or protobuf type.
 */
@NullMarked
package io.treecast.client;

import org.jspecify.annotations.NullMarked;
