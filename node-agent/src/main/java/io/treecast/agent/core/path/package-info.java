/**
 * Control streams over several networks: dials the addresses of a member, measures the paths that
 * work, and moves a stream to another path without loss. The packages above see a single
 * connection. Data streams choose their paths in the transport.
 */
@NullMarked
package io.treecast.agent.core.path;

import org.jspecify.annotations.NullMarked;
