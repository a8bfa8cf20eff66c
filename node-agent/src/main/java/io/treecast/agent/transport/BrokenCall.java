package io.treecast.agent.transport;

import io.grpc.Status;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.tls.TlsFailure;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a call between agents broke, in words for a log. What gRPC says of that is about calls and
 * system calls, and not about agents and networks. Stateless.
 */
final class BrokenCall {
  /** Where the connection of a call that came in is gone, or its caller has given it up. */
  private static final String CANCELLED_THERE = "client cancelled";

  /** What is said where the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  private static final String NO_GOODBYE =
      "the connection ended without a goodbye: the other end crashed, gave the link up, or was cut"
          + " off";

  /** What the network library says of a system call that failed. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("\\w+\\(.*?\\) failed with error\\(-?(\\d+)\\)(?:: (.*))?");

  /** Numbers of Linux that come without words, or with words that differ between machines. */
  private static final Map<String, String> ERRORS =
      Map.of(
          "32", "the other end had closed it",
          "101", "the network is unreachable",
          "104", "reset by the other end's machine",
          "110", "nothing was acknowledged for too long",
          "111", "nobody listens there",
          "113", "there is no way to that machine");

  private BrokenCall() {}

  /**
   * For example {@code the connection broke: reset by the other end's machine}. What the other end
   * said is cut, and has no control characters.
   */
  static String reason(Throwable error) {
    return WireViolation.printable(said(error));
  }

  private static String said(Throwable error) {
    Status status = Status.fromThrowable(error);
    String description = status.getDescription();
    String tls = TlsFailure.text(status.getCause());
    if (tls != null) {
      return tls;
    }
    if (CLOSED_AT_ONCE.equals(description)) {
      return "the connection was closed at once; does the other end want TLS?";
    }
    String cause = rootMessage(status.getCause());
    if (status.getCode() == Status.Code.CANCELLED
        && (description == null || description.equals(CANCELLED_THERE))) {
      return NO_GOODBYE;
    }
    if (status.getCode() == Status.Code.UNAVAILABLE) {
      return "the connection broke: " + networkError(cause != null ? cause : description);
    }
    String reason = description != null ? description : status.getCode().toString();
    return cause == null ? reason : reason + " (" + cause + ")";
  }

  private static String networkError(@Nullable String text) {
    if (text == null) {
      return "the network does not say why";
    }
    Matcher call = SYSTEM_CALL.matcher(text);
    if (!call.matches()) {
      return text;
    }
    String words = call.group(2) != null ? call.group(2) : "error " + call.group(1);
    return ERRORS.getOrDefault(call.group(1), words);
  }

  private static @Nullable String rootMessage(@Nullable Throwable thrown) {
    String message = null;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      message = cause.getMessage() == null ? message : cause.getMessage();
    }
    return message;
  }
}
