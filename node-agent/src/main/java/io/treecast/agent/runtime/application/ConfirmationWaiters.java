package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.RefusalReason;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The applications that wait for the confirmation of a broadcast. */
public final class ConfirmationWaiters {
  /** The limit of calls that wait. */
  static final int MAX_WAITERS = 16_384;

  private final Supplier<AgentCore> core;
  private final Map<MessageId, Set<StreamObserver<AwaitConfirmationResponse>>> waiting =
      new HashMap<>();
  private int waiters;
  private @Nullable StatusException ended;

  ConfirmationWaiters(Supplier<AgentCore> core) {
    this.core = core;
  }

  /** Answers now if the confirmation is settled, or else when it is. */
  void add(MessageId message, StreamObserver<AwaitConfirmationResponse> out) {
    Confirmation confirmation = core.get().confirmation(message);
    if (ended != null) {
      out.onError(ended);
    } else if (confirmation == null) {
      out.onError(
          Refusals.of(
              RefusalReason.REFUSAL_REASON_UNKNOWN_BROADCAST,
              "this agent has no record of the members that delivered "
                  + message
                  + ": it has published no such broadcast since it started, or one without"
                  + " confirmation, or has dropped it because of many later ones"));
    } else if (confirmation.isSettled()) {
      answer(out, confirmation);
    } else if (waiters == MAX_WAITERS) {
      out.onError(Refusals.noRoom(MAX_WAITERS + " requests wait for confirmations already"));
    } else {
      waiters++;
      waiting.computeIfAbsent(message, id -> new LinkedHashSet<>()).add(out);
    }
  }

  /** Removes an application that no longer waits. */
  void remove(MessageId message, StreamObserver<AwaitConfirmationResponse> out) {
    Set<StreamObserver<AwaitConfirmationResponse>> of = waiting.get(message);
    if (of != null && of.remove(out)) {
      waiters--;
      if (of.isEmpty()) {
        waiting.remove(message);
      }
    }
  }

  public void confirmed(Confirmation confirmation) {
    Set<StreamObserver<AwaitConfirmationResponse>> of = waiting.remove(confirmation.message());
    if (of != null) {
      waiters -= of.size();
      of.forEach(out -> answer(out, confirmation));
    }
  }

  /** Ends all waiting calls because the agent shuts down; later calls are refused. */
  void end() {
    StatusException why = Refusals.shuttingDown();
    ended = why;
    waiting.values().forEach(of -> of.forEach(out -> out.onError(why)));
    waiting.clear();
    waiters = 0;
  }

  private static void answer(
      StreamObserver<AwaitConfirmationResponse> out, Confirmation confirmation) {
    AwaitConfirmationResponse.Builder answer =
        AwaitConfirmationResponse.newBuilder().setTreeVersion(confirmation.treeVersion());
    confirmation.delivered().forEach(hop -> answer.addDelivered(ValueCodec.encode(hop)));
    confirmation.failed().stream().map(NodeId::toString).forEach(answer::addFailed);
    confirmation.unknown().stream().map(NodeId::toString).forEach(answer::addUnknown);
    out.onNext(answer.build());
    out.onCompleted();
  }
}
