package io.treecast.agent.runtime.application;

import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.AgentServer;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.Refusal;
import io.treecast.proto.v1.RefusalReason;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The applications that broadcast to this agent over a call that stays open. From each call, no
 * more broadcasts are taken from the network while {@link #MAX_UNANSWERED} have no answer, or
 * answers are not read. When a call ends, its broadcasts are unwanted.
 */
final class PublishCalls {
  /** Broadcasts of one call that may wait for their answer. */
  static final int MAX_UNANSWERED = AgentServer.MAX_CALLS_PER_CONNECTION;

  /** The limit of the broadcasts of a message, which the loop handles in one task. */
  static final int MAX_SHARED = 64;

  /** Messages requested at once, because each request wakes the network's thread. */
  static final int REQUEST_BATCH = 64;

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final PublishingBegan began;
  private final LongAdder refusedBehind;
  private final Set<Call> calls = new LinkedHashSet<>();
  private @Nullable StatusException ended;

  /**
   * Creates it without calls.
   *
   * @param refusedBehind counts broadcasts that are refused because the loop is behind
   */
  PublishCalls(
      Supplier<AgentCore> core, EventLoop loop, int maxPayloadBytes, LongAdder refusedBehind) {
    this.core = core;
    this.loop = loop;
    this.began =
        PublishingBegan.newBuilder()
            .setMaxPayloadBytes(maxPayloadBytes)
            .setMaxBroadcasts(MAX_SHARED)
            .build();
    this.refusedBehind = refusedBehind;
  }

  /** Handles a new call. On gRPC's thread. */
  StreamObserver<PublishRequest> accepted(ServerCallStreamObserver<PublishResponse> out) {
    Call call = new Call(out);
    out.disableAutoRequest();
    out.setOnCancelHandler(() -> loop.execute(call::gone));
    out.setOnReadyHandler(() -> loop.execute(call::takeMore));
    out.request(MAX_UNANSWERED + REQUEST_BATCH);
    loop.execute(call::begin);
    return call;
  }

  /** Ends all calls, and all that come later: the agent shuts down. */
  void end() {
    StatusException reason = Refusals.shuttingDown();
    ended = reason;
    List.copyOf(calls).forEach(call -> call.fail(reason));
  }

  private final class Call implements StreamObserver<PublishRequest> {
    private final ServerCallStreamObserver<PublishResponse> out;
    private final String client = ClientConnections.current();
    private final Caller caller = Caller.current();

    // For the loop's thread.
    private final Map<Long, Outcome> unanswered = new HashMap<>();
    private long lastNumber;
    private PublishResponse.Builder unsent = PublishResponse.newBuilder();
    private int unrequested;
    private boolean halfClosed;
    private boolean over;

    Call(ServerCallStreamObserver<PublishResponse> out) {
      this.out = out;
    }

    @Override
    public void onNext(PublishRequest request) {
      int count = request.getBroadcastsCount();
      if (count == 0 || count > MAX_SHARED) {
        loop.execute(() -> received(request));
        return;
      }
      long number = request.getNumber();
      loop.offer(
          request.getSerializedSize(),
          () -> received(request),
          // In order with the others, and without the payloads.
          () -> loop.execute(() -> refuseBehind(number, count)));
    }

    @Override
    public void onError(Throwable error) {
      loop.execute(this::gone);
    }

    @Override
    public void onCompleted() {
      loop.execute(
          () -> {
            halfClosed = true;
            completeIfDone();
          });
    }

    private void begin() {
      if (ended != null) {
        fail(ended);
      } else if (!over) {
        calls.add(this);
        out.onNext(PublishResponse.newBuilder().setBegan(began).build());
      }
    }

    private void received(PublishRequest request) {
      if (over) {
        return;
      }
      int count = request.getBroadcastsCount();
      if (count > MAX_SHARED) {
        violated("a request has " + count + " broadcasts; allowed are " + MAX_SHARED);
      } else if (request.hasWithdrawal() == (count > 0)) {
        violated("a request has neither broadcasts nor a withdrawal, or both");
      } else if (count == 0) {
        withdraw(request.getNumber());
        taken();
      } else {
        unrequested -= count - 1; // Each will count as taken.
        long number = request.getNumber();
        for (BroadcastRequest broadcast : request.getBroadcastsList()) {
          publish(number, broadcast);
          number++;
        }
      }
    }

    private void publish(long number, BroadcastRequest request) {
      Outcome outcome = over ? null : admit(number);
      if (outcome == null) {
        return;
      }
      if (unanswered.size() > MAX_UNANSWERED + REQUEST_BATCH) {
        outcome.refused(
            RefusalReason.REFUSAL_REASON_NO_ROOM,
            MAX_UNANSWERED + " earlier broadcasts of the call have no answer");
        return;
      }
      try {
        ClientEndpoint.check(request);
      } catch (IllegalArgumentException e) {
        outcome.refused(
            RefusalReason.REFUSAL_REASON_INVALID_REQUEST, String.valueOf(e.getMessage()));
        return;
      }
      String forbidden =
          caller.refusal(Action.PUBLISH, List.of(Topic.permittedAs(request.getTopic())));
      if (forbidden != null) {
        outcome.refused(RefusalReason.REFUSAL_REASON_PERMISSION_DENIED, forbidden);
        return;
      }
      long now = loop.nowNanos();
      core.get().publish(ClientEndpoint.publication(client, request, now), outcome, now);
    }

    /** Returns null if the number cannot come next: the call is over then. */
    private @Nullable Outcome admit(long number) {
      if (Long.compareUnsigned(number, lastNumber) <= 0) {
        violated("number " + Long.toUnsignedString(number) + " was used before");
        return null;
      }
      lastNumber = number;
      Outcome outcome = new Outcome(this, number);
      unanswered.put(number, outcome);
      return outcome;
    }

    private void refuseBehind(long first, int count) {
      unrequested -= count - 1;
      for (int i = 0; i < count; i++) {
        Outcome outcome = over ? null : admit(first + i);
        if (outcome != null) {
          refusedBehind.increment();
          outcome.refused(RefusalReason.REFUSAL_REASON_NO_ROOM, ClientEndpoint.behind(loop));
        }
      }
    }

    private void withdraw(long number) {
      Outcome outcome = unanswered.remove(number);
      if (outcome != null) {
        outcome.wanted = false;
        taken();
        core.get().dropCancelled(loop.nowNanos());
      }
    }

    private void answer(Outcome outcome, PublishAnswer.Builder answer) {
      if (outcome.wanted && unanswered.remove(outcome.number) != null) {
        outcome.wanted = false;
        unsent.addAnswers(answer.setNumber(outcome.number));
        // Together with the answers to requests that the loop already has.
        if (unsent.getAnswersCount() == 1) {
          loop.execute(this::sendAnswers);
        }
      }
    }

    private void sendAnswers() {
      int answers = unsent.getAnswersCount();
      if (over || answers == 0) {
        return;
      }
      out.onNext(unsent.build());
      unsent = PublishResponse.newBuilder();
      unrequested += answers;
      takeMore();
      completeIfDone();
    }

    /** Notes that a broadcast from the network has been dealt with. */
    private void taken() {
      unrequested++;
      takeMore();
    }

    /** Unless answers are not read: they must not pile up either. */
    private void takeMore() {
      if (!over && unrequested >= REQUEST_BATCH && out.isReady()) {
        out.request(unrequested);
        unrequested = 0;
      }
    }

    private void completeIfDone() {
      if (halfClosed && unanswered.isEmpty() && unsent.getAnswersCount() == 0 && !over) {
        forget();
        out.onCompleted();
      }
    }

    private void violated(String problem) {
      fail(Refusals.invalid("publish: " + problem));
    }

    private void gone() {
      fail(null);
    }

    private void fail(@Nullable StatusException why) {
      sendAnswers();
      if (over) {
        return;
      }
      forget();
      if (why != null) {
        out.onError(why);
      }
      unanswered.values().forEach(outcome -> outcome.wanted = false);
      unanswered.clear();
      core.get().dropCancelled(loop.nowNanos());
    }

    private void forget() {
      over = true;
      calls.remove(this);
    }
  }

  /** The outcome of one broadcast. On the loop. */
  private static final class Outcome implements PublishOutcome {
    private final Call call;
    private final long number;
    private boolean wanted = true;

    Outcome(Call call, long number) {
      this.call = call;
      this.number = number;
    }

    @Override
    public boolean isWanted() {
      return wanted;
    }

    @Override
    public void accepted(MessageId messageId, long treeVersion, int replicas) {
      call.answer(
          this,
          PublishAnswer.newBuilder()
              .setAccepted(ClientEndpoint.answer(messageId, treeVersion, replicas)));
    }

    @Override
    public void refused(BroadcastRefusedException.Reason reason, String text) {
      refused(Refusals.reason(reason), text);
    }

    void refused(RefusalReason reason, String text) {
      call.answer(
          this,
          PublishAnswer.newBuilder()
              .setRefused(Refusal.newBuilder().setReason(reason).setText(text)));
    }
  }
}
