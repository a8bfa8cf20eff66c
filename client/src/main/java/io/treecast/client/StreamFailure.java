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
      AgentConnection connection,
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
            refusal(connection, method, status);
        default -> null;
      };
    }
    // The code alone may also come from a proxy or connection that is overloaded.
    return StatusText.isTooLarge(status)
        ? new TreecastException(
            Reason.PROTOCOL_VIOLATION,
            "agent "
                + connection.agent()
                + " sent an event larger than "
                + AgentConnection.MAX_INBOUND_MESSAGE_BYTES
                + " bytes; check that client and agent have the same version",
            status.asRuntimeException())
        : null;
  }

  private static TreecastException refusal(
      AgentConnection connection, MethodDescriptor<?, ?> method, Status status) {
    boolean saysWhatToDo =
        switch (status.getCode()) {
          case INVALID_ARGUMENT, FAILED_PRECONDITION, PERMISSION_DENIED -> true;
          default -> false;
        };
    return new TreecastException(
        status.getCode() == Status.Code.PERMISSION_DENIED
            ? Reason.PERMISSION_DENIED
            : Reason.REFUSED,
        "agent "
            + connection.agent()
            + " refused "
            + method.getBareMethodName()
            + ": "
            + StatusText.of(status)
            + (saysWhatToDo ? "" : "; " + StatusText.remedyOfRefusal(status)),
        status.asRuntimeException());
  }
}
