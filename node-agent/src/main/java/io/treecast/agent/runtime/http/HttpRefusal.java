package io.treecast.agent.runtime.http;

import io.grpc.Metadata;
import io.grpc.Status;
import io.treecast.agent.runtime.application.Refusals;
import io.treecast.proto.v1.RefusalReason;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The refusal of a client's request, or the reason for the end of its stream. Immutable. */
final class HttpRefusal extends Exception {
  private static final long serialVersionUID = 1L;

  private static final String PREFIX = "REFUSAL_REASON_";

  private final int status;
  private final String reason;
  private final String text;

  /** Creates a refusal with an HTTP status code. */
  HttpRefusal(int status, RefusalReason reason, String text) {
    this(status, reason.name(), text);
  }

  private HttpRefusal(int status, String reason, String text) {
    super(reason + ": " + text);
    this.status = status;
    this.reason = reason.startsWith(PREFIX) ? reason.substring(PREFIX.length()) : reason;
    this.text = text;
  }

  static HttpRefusal invalid(int status, String text) {
    return new HttpRefusal(status, RefusalReason.REFUSAL_REASON_INVALID_REQUEST, text);
  }

  static HttpRefusal noRoom(String text) {
    return new HttpRefusal(503, RefusalReason.REFUSAL_REASON_NO_ROOM, text);
  }

  static HttpRefusal shuttingDown() {
    return new HttpRefusal(
        503, RefusalReason.REFUSAL_REASON_SHUTTING_DOWN, "the agent is shutting down");
  }

  /** Converts the failure of a gRPC call. */
  static HttpRefusal of(Status status, Metadata trailers) {
    String reason = trailers.get(Refusals.REASON);
    return new HttpRefusal(
        code(status.getCode()),
        reason == null ? status.getCode().name() : reason,
        textOf(status.getDescription()));
  }

  private static String textOf(@Nullable String description) {
    return description == null ? "the agent has not carried out the call" : description;
  }

  private static int code(Status.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT -> 400;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case FAILED_PRECONDITION, ABORTED, ALREADY_EXISTS -> 409;
      case OUT_OF_RANGE -> 413;
      case RESOURCE_EXHAUSTED, UNAVAILABLE -> 503;
      default -> 500;
    };
  }

  /** Returns the HTTP status code. */
  int status() {
    return status;
  }

  /** Returns the body: the reason for programs, and the text for people. */
  String json() {
    return JsonMapper.shared()
        .writeValueAsString(
            JsonMapper.shared().createObjectNode().put("reason", reason).put("text", text));
  }
}
