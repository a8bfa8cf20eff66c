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
 * Describes why a call between agents broke, for a log. gRPC's own words are about calls and system
 * calls, and not about agents and networks. Stateless.
 */
final class BrokenCall {
  /**
   * gRPC's words where the connection of an incoming call is gone, or its caller has given it up.
   */
  private static final String CANCELLED_THERE = "client cancelled";

  /** gRPC's words where the other end closes without an answer. */
  private static final String CLOSED_AT_ONCE = "Network closed for unknown reason";

  private static final String NO_GOODBYE =
      "the connection ended without a goodbye: the other end crashed, gave the link up, or was cut"
          + " off";

  /** The network library's words about a system call that failed. */
  private static final Pattern SYSTEM_CALL =
      Pattern.compile("\\w+\\(.*?\\) failed with error\\(-?(\\d+)\\)(?:: (.*))?");

  /** Error numbers of Linux without words, or with words that differ between machines. */
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
   * Returns, for example, {@code the connection broke: reset by the other end's machine}. The other
   * end's words are cut, and have no control characters.
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
      return "the network does not say why";
    }
    Matcher call = SYSTEM_CALL.matcher(text);
    if (!call.matches()) {
      return text;
    }
    String words = call.group(2) != null ? call.group(2) : "error " + call.group(1);
    return ERRORS.getOrDefault(call.group(1), words);
  }
}
