package io.treecast.tls;

import io.grpc.Status;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Explains failed calls to people, without gRPC's status codes. gRPC and the network library
 * describe some causes only by texts; only this class parses them. Stateless.
 */
public final class ConnectionFailure {
  public static final String ADMIN_PORT =
      "the server there does not support gRPC; is it the agent's admin port?";

  public static final String UNKNOWN_HOST = "unknown host";

  /** gRPC's description of a failure whose cause is more specific. */
  private static final String NO_MORE_THAN_THAT = "io exception";

  /** gRPC's description of a connection that the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  /** The system's description of a connection that the other end closes with unread data. */
  private static final String CONNECTION_RESET = "Connection reset";

  /** Part of gRPC's description of a deadline that this end has set. */
  private static final String DEADLINE = "deadline";

  /** Part of the network library's description of a server that does not speak HTTP/2. */
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  /** Part of gRPC's description of a message that is too large to reach the application. */
  private static final String TOO_LARGE = "gRPC message exceeds maximum size";

  /** The network library's prefix of the system's text. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(.*?\\) failed with error\\(-?\\d+\\): ");

  private ConnectionFailure() {}

  /** Returns whether one end has refused a message because of its size. */
  public static boolean isTooLarge(Status status) {
    String description = status.getDescription();
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && description != null
        && description.contains(TOO_LARGE);
  }

  /** Returns whether the host name cannot be resolved now. */
  public static boolean isUnknownHost(Status status) {
    Throwable cause = status.getCause();
    while (cause != null && !(cause instanceof UnknownHostException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /**
   * Returns whether the other end closed the connection at its start, as an end that requires TLS
   * does. gRPC's description depends on whether that end had read the first bytes.
   */
  public static boolean isClosedAtOnce(Status status) {
    String cause = rootMessage(status.getCause());
    return CLOSED_AT_ONCE.equals(status.getDescription())
        || (cause != null && cause.contains(CONNECTION_RESET));
  }

  /** Returns, for example, {@code Connection refused}, or the other end's own text. */
  public static String text(Status status) {
    String description = status.getDescription();
    boolean isOwnDeadline = description == null || description.contains(DEADLINE);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && isOwnDeadline) {
      return "it timed out";
    }
    String tls = TlsFailure.text(status.getCause());
    if (tls != null) {
      return tls;
    }
    String root = rootMessage(status.getCause());
    if (root != null && root.startsWith(NO_HTTP2)) {
      return ADMIN_PORT;
    }
    if (isUnknownHost(status)) {
      return UNKNOWN_HOST;
    }
    String cause = root == null ? null : SYSTEM_CALL.matcher(root).replaceFirst("");
    if (description == null || (cause != null && description.equals(NO_MORE_THAN_THAT))) {
      return cause == null ? unexplained(status.getCode()) : cause;
    }
    return cause == null || description.contains(cause)
        ? description
        : description + " (" + cause + ")";
  }

  /** Returns the message of the innermost cause that has one; null if there is none. */
  public static @Nullable String rootMessage(@Nullable Throwable thrown) {
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
      case UNIMPLEMENTED -> "the server does not have this call";
      case PERMISSION_DENIED, UNAUTHENTICATED -> "permission denied";
      default -> "no reason was given";
    };
  }
}
