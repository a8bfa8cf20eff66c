/**
 * The library that applications call: broadcast along the tree, subscribe to what others broadcast,
 * watch the tree. {@link io.treecast.client.Treecast} is the way in.
 *
 * <p>No public signature here has a gRPC or protobuf type.
 */
@NullMarked
package io.treecast.client;

import org.jspecify.annotations.NullMarked;
