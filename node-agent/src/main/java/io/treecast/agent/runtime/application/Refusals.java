package io.treecast.agent.runtime.application;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.proto.v1.RefusalReason;
import java.util.Collection;

/**
 * Refusals of clients' calls. Each has a {@link RefusalReason} for programs, the corresponding gRPC
 * status code, and a text for people. Stateless.
 */
public final class Refusals {
  /** The trailer with the name of the reason; part of the clients' interface. */
  public static final Metadata.Key<String> REASON =
      Metadata.Key.of("treecast-refusal-reason", Metadata.ASCII_STRING_MARSHALLER);

  private Refusals() {}

  /** Returns the failure of a call. */
  static StatusException of(RefusalReason reason, String text) {
    Metadata trailers = new Metadata();
    trailers.put(REASON, reason.name());
    return code(reason).toStatus().withDescription(text).asException(trailers);
  }

  static StatusException of(BroadcastRefusedException.Reason reason, String text) {
    return of(reason(reason), text);
  }

  static StatusException of(BroadcastRefusedException refused) {
    return of(refused.reason(), String.valueOf(refused.getMessage()));
  }

  static StatusException invalid(String text) {
    return of(RefusalReason.REFUSAL_REASON_INVALID_REQUEST, text);
  }

  static StatusException noRoom(String text) {
    return of(RefusalReason.REFUSAL_REASON_NO_ROOM, text);
  }

  static StatusException shuttingDown() {
    return of(RefusalReason.REFUSAL_REASON_SHUTTING_DOWN, "the agent is shutting down");
  }

  /**
   * Checks that a caller may perform an action on all given topics or operations.
   *
   * @throws StatusException if it may not
   */
  static void requirePermission(Caller caller, Action action, Collection<String> names)
      throws StatusException {
    String refusal = caller.refusal(action, names);
    if (refusal != null) {
      throw of(RefusalReason.REFUSAL_REASON_PERMISSION_DENIED, refusal);
    }
  }

  /** Returns the reason that a client receives for a refused broadcast or subscription. */
  static RefusalReason reason(BroadcastRefusedException.Reason reason) {
    return switch (reason) {
      case PAYLOAD_TOO_LARGE -> RefusalReason.REFUSAL_REASON_PAYLOAD_TOO_LARGE;
      case NOT_A_POSITION -> RefusalReason.REFUSAL_REASON_INVALID_REQUEST;
      case PUBLISH_BUFFER_FULL, TOO_MANY_UPLOADS, TOO_MANY_SUBSCRIBERS, TOO_MANY_CONFIRMATIONS ->
          RefusalReason.REFUSAL_REASON_NO_ROOM;
      case TOO_MANY_TOPICS -> RefusalReason.REFUSAL_REASON_TOO_MANY_TOPICS;
      case NO_TREE -> RefusalReason.REFUSAL_REASON_NO_TREE;
      case SHUTTING_DOWN -> RefusalReason.REFUSAL_REASON_SHUTTING_DOWN;
      case MAY_BE_ACCEPTED -> RefusalReason.REFUSAL_REASON_MAY_BE_ACCEPTED;
      case TOKEN_REUSED -> RefusalReason.REFUSAL_REASON_TOKEN_REUSED;
    };
  }

  private static Status.Code code(RefusalReason reason) {
    return switch (reason) {
      case REFUSAL_REASON_INVALID_REQUEST -> Status.Code.INVALID_ARGUMENT;
      case REFUSAL_REASON_PAYLOAD_TOO_LARGE -> Status.Code.OUT_OF_RANGE;
      case REFUSAL_REASON_NO_ROOM -> Status.Code.RESOURCE_EXHAUSTED;
      case REFUSAL_REASON_TOO_MANY_TOPICS, REFUSAL_REASON_CLAIM_HELD ->
          Status.Code.FAILED_PRECONDITION;
      case REFUSAL_REASON_NO_TREE, REFUSAL_REASON_SHUTTING_DOWN, REFUSAL_REASON_NO_MAJORITY ->
          Status.Code.UNAVAILABLE;
      case REFUSAL_REASON_MAY_BE_ACCEPTED,
          REFUSAL_REASON_RESULT_NOT_READ,
          REFUSAL_REASON_CLAIM_LOST ->
          Status.Code.ABORTED;
      case REFUSAL_REASON_TOKEN_REUSED -> Status.Code.ALREADY_EXISTS;
      case REFUSAL_REASON_UNKNOWN_BROADCAST -> Status.Code.NOT_FOUND;
      case REFUSAL_REASON_PERMISSION_DENIED -> Status.Code.PERMISSION_DENIED;
      case REFUSAL_REASON_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("an agent refuses for a stated reason: " + reason);
    };
  }
}
