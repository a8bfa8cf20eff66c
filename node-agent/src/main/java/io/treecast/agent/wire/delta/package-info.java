/**
 * Messages of the tree as differences against trees that crossed the same stream before. {@link
 * io.treecast.agent.wire.delta.TreeCodec} is its door.
 */
@NullMarked
package io.treecast.agent.wire.delta;

import org.jspecify.annotations.NullMarked;
