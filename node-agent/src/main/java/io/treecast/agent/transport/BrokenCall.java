package io.treecast.agent.transport;

import io.grpc.Status;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.tls.ConnectionFailure;
import io.treecast.tls.TlsFailure;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Describes for a log why a call between agents broke. gRPC's own texts name calls and system
 * calls, not agents and networks. Stateless.
 */
final class BrokenCall {
  /** gRPC's text for an incoming call whose connection broke, or whose caller has cancelled it. */
  private static final String CANCELLED_THERE = "client cancelled";

  /** gRPC's text for a connection that the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  private static final String NO_GOODBYE =
      "the connection ended without a goodbye: the other end crashed, closed the link, or was cut"
          + " off";

  /** The network library's text for a system call that failed. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("\\w+\\(.*?\\) failed with error\\(-?(\\d+)\\)(?:: (.*))?");

  /** Error numbers of Linux that have no text, or a text that differs between machines. */
  private static final Map<String, String> ERRORS =
      Map.of(
          "32", "the other end had closed it",
          "101", "the network is unreachable",
          "104", "reset by the other end's machine",
          "110", "nothing was acknowledged for too long",
          "111", "no server listens there",
          "113", "there is no route to that machine");

  private BrokenCall() {}

  /**
   * Returns, for example, {@code the connection broke: reset by the other end's machine}. A text of
   * the other end is shortened and freed from control characters.
   */
  static String reason(Throwable error) {
    return WireViolation.printable(text(error));
  }

  private static String text(Throwable error) {
    Status status = Status.fromThrowable(error);
    String description = status.getDescription();
    String tls = TlsFailure.text(status.getCause());
    if (tls != null) {
      return tls;
    }
    if (CLOSED_AT_ONCE.equals(description)) {
      return "the connection was closed at once; does the other end want TLS?";
    }
    String cause = ConnectionFailure.rootMessage(status.getCause());
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
      return "the network gives no reason";
    }
    Matcher call = SYSTEM_CALL.matcher(text);
    if (!call.matches()) {
      return text;
    }
    String words = call.group(2) != null ? call.group(2) : "error " + call.group(1);
    return ERRORS.getOrDefault(call.group(1), words);
  }
}
