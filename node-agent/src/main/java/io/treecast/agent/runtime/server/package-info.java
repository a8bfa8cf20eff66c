/**
 * The gRPC server of an agent: its address, the security of its connections, the identity and
 * permissions of callers, and clients that do not read. The services themselves are in other
 * packages.
 */
@NullMarked
package io.treecast.agent.runtime.server;

import org.jspecify.annotations.NullMarked;
