/**
 * The gRPC server of an agent: its address, the identity and security of its connections, and the
 * handling of clients that do not read.
 */
@NullMarked
package io.treecast.agent.runtime.server;

import org.jspecify.annotations.NullMarked;
