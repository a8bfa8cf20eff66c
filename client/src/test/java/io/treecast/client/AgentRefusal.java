package io.treecast.client;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.proto.v1.RefusalReason;

/** Refusals as agents send them. Clients use the reason, not the status code. */
final class AgentRefusal {
  private AgentRefusal() {}

  /**
   * Returns the failure of a call.
   *
   * @param reason without prefix, for example {@code NO_TREE}
   */
  static StatusRuntimeException of(String reason, String text) {
    Metadata trailers = new Metadata();
    trailers.put(CallFailure.REASON, RefusalReason.valueOf("REFUSAL_REASON_" + reason).name());
    return Status.UNKNOWN.withDescription(text).asRuntimeException(trailers);
  }
}
