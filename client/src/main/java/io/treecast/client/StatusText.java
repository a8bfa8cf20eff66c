package io.treecast.client;

import io.grpc.Status;
import io.treecast.tls.TlsFailure;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Describes why a call failed, for the message of a {@link TreecastException}. Leaves out gRPC's
 * status code, since the exception has a reason of its own. Stateless.
 */
final class StatusText {
  /** The transport's description where the cause says more. */
  private static final String NO_MORE_THAN_THAT = "io exception";

  /** The transport's description where the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  /** The system's description where the other end closes without having read all. */
  private static final String CONNECTION_RESET = "Connection reset";

  /** Part of the transport's description of a deadline that this end has set. */
  private static final String DEADLINE = "deadline";

  /** Part of the transport's description of a server that does not speak HTTP/2. */
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  /** The beginning of the transport's description of an unknown host. */
  private static final String UNKNOWN_HOST = "Unable to resolve host";

  /** The transport's prefix of the actual reason. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(.*?\\) failed with error\\(-?\\d+\\): ");

  /** The transport's description of a message that is too large to reach the application. */
  private static final String TOO_LARGE = "gRPC message exceeds maximum size";

  private StatusText() {}

  /** Returns whether one end refused a message for its size. */
  static boolean isTooLarge(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED && of(status).contains(TOO_LARGE);
  }

  /** Returns whether a call failed because the host is, for now, unknown. */
  static boolean isUnknownHost(Status status) {
    String description = status.getDescription();
    return description != null && description.startsWith(UNKNOWN_HOST);
  }

  /**
   * Describes why there is no connection. If a connection ends as it begins, the agent may want
   * TLS; how it ends depends on whether the agent had read the first bytes.
   */
  static String ofConnecting(Status status) {
    return isClosedAtOnce(status)
        ? "the connection was closed at once; does the agent want TLS?"
        : of(status);
  }

  /** Returns a remedy if the failure has to do with TLS; otherwise null. */
  static @Nullable String remedyOfConnecting(Status status) {
    return isClosedAtOnce(status)
        ? "connect with a certificate if it does, or correct the address"
        : TlsFailure.remedy(status.getCause());
  }

  private static boolean isClosedAtOnce(Status status) {
    String cause = rootMessage(status.getCause());
    return CLOSED_AT_ONCE.equals(status.getDescription())
        || (cause != null && cause.contains(CONNECTION_RESET));
  }

  /** Returns a remedy for an agent's refusal of calls in general, independent of the request. */
  static String remedyOfRefusal(Status status) {
    return switch (status.getCode()) {
      case UNAUTHENTICATED ->
          "the agent refuses this client: connect with a certificate that it accepts";
      default -> "check that the address is an agent's and that its version fits";
    };
  }

  /** Returns, for example, {@code no tree yet: 0 links are open}. */
  static String of(Status status) {
    String description = status.getDescription();
    boolean isOwnDeadline = description == null || description.contains(DEADLINE);
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && isOwnDeadline) {
      return "its time was over";
    }
    String tls = TlsFailure.text(status.getCause());
    if (tls != null) {
      return tls;
    }
    String cause = rootMessage(status.getCause());
    if (cause != null && cause.startsWith(NO_HTTP2)) {
      return "the server there does not speak gRPC; is it the agent's admin port?";
    }
    if (isUnknownHost(status)) {
      return "unknown host";
    }
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
    return message == null ? null : SYSTEM_CALL.matcher(message).replaceFirst("");
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
