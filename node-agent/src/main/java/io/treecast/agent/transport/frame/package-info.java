/**
 * The bytes of frames on the network: the parsers of {@code PeerService}, messages that share a
 * frame, and the limit of its size. The streams that carry frames are in the parent package.
 */
@NullMarked
package io.treecast.agent.transport.frame;

import org.jspecify.annotations.NullMarked;
