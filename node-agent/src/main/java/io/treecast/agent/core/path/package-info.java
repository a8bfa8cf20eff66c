/**
 * Control streams over several networks: dials the addresses of a member, measures the paths that
 * work, and moves a stream to another path without loss. The rooms above see one connection.
 */
@NullMarked
package io.treecast.agent.core.path;

import org.jspecify.annotations.NullMarked;
