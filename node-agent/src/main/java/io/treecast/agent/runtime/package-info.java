/**
 * The agent as a running thing: its event loop, its gRPC services, its life from start to close.
 */
@NullMarked
package io.treecast.agent.runtime;

import org.jspecify.annotations.NullMarked;
