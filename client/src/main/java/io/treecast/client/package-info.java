/**
 * The client library for applications: broadcasts and subscriptions along the tree, requests,
 * collective operations, shared values, claims, groups, and watches of the tree. {@link
 * io.treecast.client.Treecast} is the entry point; a client talks to one agent at a time.
 *
 * <p>Public signatures here have no gRPC or protobuf types.
 */
@NullMarked
package io.treecast.client;

import org.jspecify.annotations.NullMarked;
