/**
 * The gRPC server of an agent: where it listens, who may connect, and what happens to clients that
 * do not read.
 */
@NullMarked
package io.treecast.agent.runtime.server;

import org.jspecify.annotations.NullMarked;
