package io.treecast.client;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.treecast.client.TreecastException.Reason;
import org.jspecify.annotations.Nullable;

/** Decides whether a stream that broke is reopened. */
final class StreamFailure {
  private StreamFailure() {}

  /** Returns the failure that ends the stream; null if another call may succeed. */
  static @Nullable TreecastException permanent(
      AgentAddress agent,
      MethodDescriptor<?, ?> method,
      Status status,
      CallProgress progress) {
    if (progress.answered()) {
      return switch (status.getCode()) {
        case UNIMPLEMENTED,
            INVALID_ARGUMENT,
            FAILED_PRECONDITION,
            PERMISSION_DENIED,
            UNAUTHENTICATED ->
            new TreecastException(
                Reason.REFUSED,
                "agent "
                    + agent
                    + " refused "
                    + method.getBareMethodName()
                    + ": "
                    + StatusText.of(status)
                    + (status.getCode() == Status.Code.INVALID_ARGUMENT
                            || status.getCode() == Status.Code.FAILED_PRECONDITION
                        ? ""
                        : "; " + StatusText.remedyOfRefusal(status)),
                status.asRuntimeException());
        default -> null;
      };
    }
    // The code alone may also come from a proxy or connection that is overloaded.
    return StatusText.isTooLarge(status)
        ? new TreecastException(
            Reason.PROTOCOL_VIOLATION,
            "agent "
                + agent
                + " sent an event larger than "
                + AgentConnection.MAX_INBOUND_MESSAGE_BYTES
                + " bytes; check that client and agent have the same version",
            status.asRuntimeException())
        : null;
  }
}
