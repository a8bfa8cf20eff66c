package io.treecast.client;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.Refusal;
import io.treecast.proto.v1.RefusalReason;
import io.treecast.tls.ConnectionFailure;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a call.
 *
 * @param reason the agent's reason; unspecified if the failure comes from gRPC, a proxy or the
 *     network
 * @param status the gRPC status, with a text for people; for a {@link Refusal} inside a call, only
 *     the text
 */
record CallFailure(RefusalReason reason, Status status) {
  /** The trailer with the name of the agent's reason. */
  static final Metadata.Key<String> REASON =
      Metadata.Key.of("treecast-refusal-reason", Metadata.ASCII_STRING_MARSHALLER);

  /** Returns the failure of a call that ended with an exception. */
  static CallFailure of(Throwable error) {
    Metadata trailers = Status.trailersFromThrowable(error);
    String name = trailers == null ? null : trailers.get(REASON);
    return new CallFailure(reason(name), Status.fromThrowable(error));
  }

  /** Returns the failure of one broadcast of a call. */
  static CallFailure of(Refusal refusal) {
    return new CallFailure(refusal.getReason(), Status.UNKNOWN.withDescription(refusal.getText()));
  }

  /** Returns a failure without an agent's reason. */
  static CallFailure of(Status status) {
    return new CallFailure(RefusalReason.REFUSAL_REASON_UNSPECIFIED, status);
  }

  private static RefusalReason reason(@Nullable String name) {
    if (name == null) {
      return RefusalReason.REFUSAL_REASON_UNSPECIFIED;
    }
    for (RefusalReason reason : RefusalReason.values()) {
      if (reason.name().equals(name)) {
        return reason;
      }
    }
    return RefusalReason.UNRECOGNIZED;
  }

  /** Returns whether a call with these trailers was ended by an agent that shuts down. */
  static boolean isShutdown(Metadata trailers) {
    return reason(trailers.get(REASON)) == RefusalReason.REFUSAL_REASON_SHUTTING_DOWN;
  }

  boolean isShutdown() {
    return reason == RefusalReason.REFUSAL_REASON_SHUTTING_DOWN;
  }

  /** Returns whether the agent itself has refused the request or ended the call. */
  boolean isOfAgent() {
    return reason != RefusalReason.REFUSAL_REASON_UNSPECIFIED;
  }

  /** Returns whether the same call may succeed when the agent is available again. */
  boolean isUnavailable() {
    return switch (reason) {
      case REFUSAL_REASON_NO_TREE, REFUSAL_REASON_SHUTTING_DOWN -> true;
      case REFUSAL_REASON_CLAIM_HELD, REFUSAL_REASON_NO_MAJORITY, REFUSAL_REASON_CLAIM_LOST ->
          false;
      case REFUSAL_REASON_UNSPECIFIED, UNRECOGNIZED -> status.getCode() == Status.Code.UNAVAILABLE;
      case REFUSAL_REASON_INVALID_REQUEST,
          REFUSAL_REASON_PAYLOAD_TOO_LARGE,
          REFUSAL_REASON_NO_ROOM,
          REFUSAL_REASON_TOO_MANY_TOPICS,
          REFUSAL_REASON_MAY_BE_ACCEPTED,
          REFUSAL_REASON_TOKEN_REUSED,
          REFUSAL_REASON_UNKNOWN_BROADCAST,
          REFUSAL_REASON_RESULT_NOT_READ,
          REFUSAL_REASON_PERMISSION_DENIED ->
          false;
    };
  }

  /** Returns, for example, {@code no tree yet: 0 links are open}. */
  String text() {
    return ConnectionFailure.text(status);
  }

  /** Returns the cause for a {@link TreecastException}. */
  StatusRuntimeException cause() {
    return status.asRuntimeException();
  }

  /**
   * Returns whether a call that the other end has ended has no effect. A server of gRPC itself ends
   * a call whose deadline passes or whose code fails, perhaps after the effect.
   */
  boolean isWithoutEffect() {
    return isOfAgent()
        || isPermanent()
        || status.getCode() == Status.Code.UNAVAILABLE
        || status.getCode() == Status.Code.RESOURCE_EXHAUSTED;
  }

  /** Returns a remedy for a refusal that does not depend on the request. */
  String remedy() {
    if (reason == RefusalReason.UNRECOGNIZED) {
      return "the reason is unknown to this client: upgrade it to the agent's version";
    }
    return switch (status.getCode()) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          "the agent refuses this client: connect with a certificate that it accepts";
      default -> "check that the address is an agent's and that its version fits";
    };
  }

  /**
   * Returns the failure of a broadcast or an upload that was refused.
   *
   * @param more text to append
   */
  TreecastException ofBroadcast(AgentAddress agent, String more) {
    String agentSays = "agent " + agent + " says: " + text() + "; ";
    return switch (reason) {
      case REFUSAL_REASON_NO_TREE ->
          new TreecastException(
              Reason.NO_TREE,
              agentSays + "the wait is over: bring its members up, or wait longer" + more,
              cause());
      case REFUSAL_REASON_SHUTTING_DOWN ->
          new TreecastException(
              Reason.NO_TREE,
              agentSays
                  + "the broadcast was not sent: send it again when the agent is back, or through"
                  + " another one"
                  + more,
              cause());
      case REFUSAL_REASON_NO_ROOM ->
          new TreecastException(
              Reason.BUFFER_FULL,
              agentSays + "broadcast again when earlier ones are through" + more,
              cause());
      case REFUSAL_REASON_MAY_BE_ACCEPTED ->
          new TreecastException(
              Reason.RETRY_TOO_LATE,
              agentSays
                  + "ask the subscribers, or send it as a new broadcast if a duplicate does no harm",
              cause());
      case REFUSAL_REASON_PAYLOAD_TOO_LARGE ->
          new TreecastException(
              Reason.PAYLOAD_TOO_LARGE,
              agentSays
                  + "upload it, which has no such limit, send less, or raise that limit of the"
                  + " agents"
                  + more,
              cause());
      case REFUSAL_REASON_INVALID_REQUEST,
          REFUSAL_REASON_TOO_MANY_TOPICS,
          REFUSAL_REASON_TOKEN_REUSED ->
          new TreecastException(
              Reason.REFUSED, agentSays + "the same request will be refused again" + more, cause());
      case REFUSAL_REASON_PERMISSION_DENIED ->
          new TreecastException(
              Reason.PERMISSION_DENIED, "agent " + agent + " says: " + text() + more, cause());
      // Agents do not refuse broadcasts for the other reasons.
      case REFUSAL_REASON_UNSPECIFIED,
          UNRECOGNIZED,
          REFUSAL_REASON_CLAIM_HELD,
          REFUSAL_REASON_NO_MAJORITY,
          REFUSAL_REASON_CLAIM_LOST,
          REFUSAL_REASON_UNKNOWN_BROADCAST,
          REFUSAL_REASON_RESULT_NOT_READ ->
          new TreecastException(
              isUnavailable() ? Reason.AGENT_UNREACHABLE : Reason.REFUSED,
              agentSays + remedy() + more,
              cause());
    };
  }

  /** Returns the failure of a call for a claim, a group or a shared value. */
  TreecastException ofCall(AgentAddress agent) {
    if (!isOfAgent() && status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return new TreecastException(
          Reason.AGENT_UNREACHABLE,
          "agent " + agent + " did not answer in time: check that it runs, and try again",
          cause());
    }
    String agentSays = "agent " + agent + " says: " + text();
    Reason of =
        switch (reason) {
          case REFUSAL_REASON_CLAIM_HELD -> Reason.CLAIM_HELD;
          case REFUSAL_REASON_NO_MAJORITY -> Reason.NO_MAJORITY;
          case REFUSAL_REASON_CLAIM_LOST -> Reason.CLAIM_LOST;
          case REFUSAL_REASON_NO_ROOM -> Reason.BUFFER_FULL;
          case REFUSAL_REASON_PERMISSION_DENIED -> Reason.PERMISSION_DENIED;
          case REFUSAL_REASON_NO_TREE,
              REFUSAL_REASON_SHUTTING_DOWN,
              REFUSAL_REASON_UNSPECIFIED,
              UNRECOGNIZED ->
              isUnavailable() ? Reason.AGENT_UNREACHABLE : Reason.REFUSED;
          case REFUSAL_REASON_INVALID_REQUEST,
              REFUSAL_REASON_PAYLOAD_TOO_LARGE,
              REFUSAL_REASON_TOO_MANY_TOPICS,
              REFUSAL_REASON_MAY_BE_ACCEPTED,
              REFUSAL_REASON_TOKEN_REUSED,
              REFUSAL_REASON_UNKNOWN_BROADCAST,
              REFUSAL_REASON_RESULT_NOT_READ ->
              Reason.REFUSED;
        };
    return new TreecastException(of, agentSays, cause());
  }

  /** Returns the failure of a call that changes nothing. */
  TreecastException ofRead(AgentAddress agent, CallProgress progress) {
    return ofCall(agent);
  }

  /** Returns the failure of a call that writes a shared value and may have been sent. */
  TreecastException ofWrite(AgentAddress agent, CallProgress progress) {
    if (isOfAgent() || (progress.answered() && isWithoutEffect()) || !progress.sent()) {
      return ofCall(agent);
    }
    return new TreecastException(
        Reason.OUTCOME_UNKNOWN,
        "agent "
            + agent
            + " did not answer whether it has the value: check that it runs, and write again, which"
            + " does no harm",
        cause());
  }

  /** Returns the failure of a call for the time. */
  TreecastException ofClock(AgentAddress agent) {
    Reason of = Reason.REFUSED;
    if (reason == RefusalReason.REFUSAL_REASON_PERMISSION_DENIED) {
      of = Reason.PERMISSION_DENIED;
    } else if (reason == RefusalReason.REFUSAL_REASON_NO_TREE) {
      of = Reason.NO_TREE;
    } else if (reason == RefusalReason.REFUSAL_REASON_NO_ROOM) {
      of = Reason.BUFFER_FULL;
    } else if (isUnavailable() || status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      of = Reason.AGENT_UNREACHABLE;
    }
    return new TreecastException(of, "agent " + agent + " has no time: " + text(), cause());
  }

  /** Returns the failure that ends a stream; null if a new call may succeed. */
  @Nullable TreecastException ofStream(
      AgentAddress address, MethodDescriptor<?, ?> method, CallProgress progress) {
    String agent = "agent " + address;
    if (!progress.answered()) {
      // The code alone does not suffice: an overloaded proxy or connection can send it, too.
      return ConnectionFailure.isTooLarge(status)
          ? new TreecastException(
              Reason.PROTOCOL_VIOLATION,
              agent
                  + " sent an event larger than "
                  + AgentConnection.MAX_INBOUND_MESSAGE_BYTES
                  + " bytes; check that client and agent have the same version",
              cause())
          : null;
    }
    String refused = agent + " refused " + method.getBareMethodName() + ": " + text();
    return switch (reason) {
      case REFUSAL_REASON_INVALID_REQUEST, REFUSAL_REASON_TOO_MANY_TOPICS ->
          new TreecastException(Reason.REFUSED, refused, cause());
      case REFUSAL_REASON_PERMISSION_DENIED ->
          new TreecastException(Reason.PERMISSION_DENIED, refused, cause());
      case REFUSAL_REASON_UNSPECIFIED, UNRECOGNIZED ->
          isPermanent()
              ? new TreecastException(Reason.REFUSED, refused + "; " + remedy(), cause())
              : null;
      case REFUSAL_REASON_PAYLOAD_TOO_LARGE,
          REFUSAL_REASON_NO_ROOM,
          REFUSAL_REASON_NO_TREE,
          REFUSAL_REASON_SHUTTING_DOWN,
          REFUSAL_REASON_MAY_BE_ACCEPTED,
          REFUSAL_REASON_TOKEN_REUSED,
          REFUSAL_REASON_UNKNOWN_BROADCAST,
          REFUSAL_REASON_CLAIM_HELD,
          REFUSAL_REASON_NO_MAJORITY,
          REFUSAL_REASON_CLAIM_LOST,
          REFUSAL_REASON_RESULT_NOT_READ ->
          null;
    };
  }

  private boolean isPermanent() {
    return switch (status.getCode()) {
      case UNIMPLEMENTED,
          INVALID_ARGUMENT,
          FAILED_PRECONDITION,
          PERMISSION_DENIED,
          UNAUTHENTICATED ->
          true;
      default -> false;
    };
  }
}
