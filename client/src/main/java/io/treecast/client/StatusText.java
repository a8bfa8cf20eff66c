package io.treecast.client;

import io.grpc.Status;
import io.treecast.tls.TlsFailure;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a call failed, in words, for the message of a {@link TreecastException}: that has a name of
 * its own for the failure, and the transport's names would be a second one for the same. Stateless.
 */
final class StatusText {
  /** What the transport says where the cause says more. */
  private static final String NO_MORE_THAN_THAT = "io exception";

  /** What the transport says where the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  /** What the system says where the other end closes without having read all. */
  private static final String CONNECTION_RESET = "Connection reset";

  /** In what the transport says of a deadline that this end has set. */
  private static final String DEADLINE = "deadline";

  /** In what the transport says of another end that does not speak its protocol. */
  private static final String NO_HTTP2 = "First received frame was not SETTINGS";

  /** How the transport begins what it says of a host that is not known. */
  private static final String UNKNOWN_HOST = "Unable to resolve host";

  /** What the transport writes before the reason itself. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("^\\w+\\(.*?\\) failed with error\\(-?\\d+\\): ");

  /** How the transport says that a message is so large that the application never sees it. */
  private static final String TOO_LARGE = "gRPC message exceeds maximum size";

  private StatusText() {}

  /** Whether one end got a message that it does not take for its size. */
  static boolean isTooLarge(Status status) {
    return status.getCode() == Status.Code.RESOURCE_EXHAUSTED && of(status).contains(TOO_LARGE);
  }

  /** Whether it failed since there is no such host, so far as one can tell now. */
  static boolean isUnknownHost(Status status) {
    String description = status.getDescription();
    return description != null && description.startsWith(UNKNOWN_HOST);
  }

  /**
   * Why there is no connection. One that ends as it begins may be with an agent that wants TLS; how
   * it ends depends on whether the agent had read what came.
   */
  static String ofConnecting(Status status) {
    return isClosedAtOnce(status)
        ? "the connection was closed at once; does the agent want TLS?"
        : of(status);
  }

  /** What to do about that if it has to do with TLS; null if it has not. */
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

  /** What to do where an agent refuses a call as such, whatever it asks for. */
  static String remedyOfRefusal(Status status) {
    return switch (status.getCode()) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          "the agent refuses this client: connect with a certificate that it accepts";
      default -> "check that the address is an agent's and that its version fits";
    };
  }

  /** For example {@code no tree yet: 0 links are open}. */
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
      return "what listens there does not speak gRPC; is it the agent's admin port?";
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
