package io.treecast.cli.query;

import io.grpc.Status;
import java.util.regex.Pattern;

/** Why a call to an agent failed, for a person. Stateless. */
final class StatusText {
  /** The most characters that are printed of a reason. */
  private static final int MAX_REASON_CHARS = 200;

  /** The transport's prefix of the actual reason. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(.*?\\) failed with error\\(-?\\d+\\): ");

  /** In the transport's message when the other end does not speak its protocol. */
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  static final String ADMIN_PORT =
      "the server there does not support gRPC; is it the agent's admin port?";

  /** The transport's description where the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  /** The system's description where the other end closes without having read all. */
  private static final String CONNECTION_RESET = "Connection reset";

  private StatusText() {}

  /**
   * Returns whether something listens there that ends the connection at once, as an agent does that
   * wants TLS. Which of both it is depends on whether it has read what came.
   */
  static boolean isClosedAtOnce(Status status) {
    return CLOSED_AT_ONCE.equals(status.getDescription())
        || rootMessage(status).contains(CONNECTION_RESET);
  }

  /** For example {@code Connection refused}. */
  static String of(Status status) {
    String message = rootMessage(status);
    return message.contains(NO_HTTP2)
        ? ADMIN_PORT
        : beginning(SYSTEM_CALL.matcher(message).replaceFirst(""));
  }

  private static String rootMessage(Status status) {
    Throwable cause = status.getCause();
    if (cause == null) {
      String description = status.getDescription();
      return description == null ? "it failed without a reason" : description;
    }
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static String beginning(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS) + "...";
  }
}
