package io.treecast.client;

import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Why a call failed, in words, for the message of a {@link TreecastException}: that has a name of
 * its own for the failure, and the transport's names would be a second one for the same. Stateless.
 */
final class StatusText {
  /** What the transport says where the cause says more. */
  private static final String NO_MORE_THAN_THAT = "io exception";

  /** In what the transport says of a deadline that this end has set. */
  private static final String DEADLINE = "deadline";

  private StatusText() {}

  /** For example {@code no tree yet: 0 links are open}. */
  static String of(Status status) {
    String description = status.getDescription();
    boolean isOwnDeadline = description == null || description.contains(DEADLINE);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && isOwnDeadline) {
      return "its time was over";
    }
    String cause = rootMessage(status.getCause());
    if (description == null || (cause != null && description.equals(NO_MORE_THAN_THAT))) {
      return cause == null ? unexplained(status.getCode()) : cause;
    }
    return cause == null || description.contains(cause)
        ? description
        : description + " (" + cause + ")";
  }

  private static @Nullable String rootMessage(@Nullable Throwable thrown) {
    String message = null;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      message = cause.getMessage() == null ? message : cause.getMessage();
    }
    return message;
  }

  private static String unexplained(Status.Code code) {
    return switch (code) {
      case UNAVAILABLE -> "the connection was lost";
      case CANCELLED -> "the call was cancelled";
      case UNIMPLEMENTED -> "there is no such call";
      case PERMISSION_DENIED, UNAUTHENTICATED -> "it is not allowed";
      default -> "without saying why";
    };
  }
}
