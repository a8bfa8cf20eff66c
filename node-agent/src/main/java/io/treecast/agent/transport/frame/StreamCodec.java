package io.treecast.agent.transport.frame;

import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * Converts between the messages of a stream and those of gRPC.
 *
 * @param <M> the messages of the core
 * @param <I> incoming gRPC message
 * @param <O> outgoing gRPC message
 */
public interface StreamCodec<M, I, O> {
  O encode(M message);

  /** Returns the message to send in place of another that leaves so late after its event. */
  default M leaving(M message, long lateNanos) {
    return message;
  }

  M decode(I message) throws WireViolation;

  /**
   * Returns the sender that a message names, as the first of a stream does; null if it names none.
   */
  @Nullable NodeId sender(M message);
}
