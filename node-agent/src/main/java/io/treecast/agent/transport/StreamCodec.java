package io.treecast.agent.transport;

import io.treecast.agent.wire.WireViolation;

/**
 * Between what a stream carries and its gRPC messages.
 *
 * @param <M> what the core sends and receives
 * @param <I> incoming gRPC message
 * @param <O> outgoing gRPC message
 */
interface StreamCodec<M, I, O> {
  O encode(M message);

  M decode(I message) throws WireViolation;
}
