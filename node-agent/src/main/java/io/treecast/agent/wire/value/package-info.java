/**
 * Codecs of values that several frames share, and the report of a frame that violates the protocol.
 * Whole frames belong to {@code io.treecast.agent.wire}.
 */
@NullMarked
package io.treecast.agent.wire.value;

import org.jspecify.annotations.NullMarked;
