package io.treecast.agent.transport.frame;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Converts between a stream's messages and gRPC's.
 *
 * @param <M> the messages of the core
 * @param <I> incoming gRPC message
 * @param <O> outgoing gRPC message
 */
public interface StreamCodec<M, I, O> {
  O encode(M message);

  M decode(I message) throws WireViolation;

  /** Returns the sender if the message names it, as the first of a stream does; else null. */
  @Nullable NodeId sender(M message);
}
