package io.treecast.client;

import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.treecast.proto.v1.PublishAnswer;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.PublishingBegan;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.Withdrawal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a client's broadcasts to the agent: one gRPC call after the other, each as long as
 * its connection, opened when there is something to send. Broadcasts are sent in the order of their
 * submission. A broadcast waits here until the agent has started to accept broadcasts, and while
 * network or agent accept no more; so it is known of each whether it may have arrived. Broadcasts
 * that wait share messages.
 *
 * <p>For any thread. The state is guarded by this object's lock; no broadcast completes under it.
 */
final class PublishStream {
  /**
   * The limit of unsent bytes in the network layer. While it sends a message, broadcasts wait here,
   * and share the next one, since each message has a fixed cost.
   */
  private static final int UNSENT_BYTES = 1;

  /** The limit of the payloads and headers of a shared message; a larger one is not shared. */
  static final int SHARED_BYTES = 64 << 10;

  /** The agent's limit of broadcasts without an answer. */
  static final int UNANSWERED_BROADCASTS = 1_024;

  private final AgentConnection connection;
  private final Runnable open = this::open;

  // Guarded by this.
  private final TreeSet<BroadcastCall> unsent =
      new TreeSet<>(Comparator.comparingLong(BroadcastCall::order));

  private long lastOrder;

  private final Backoff backoff;
  private @Nullable Session session;
  private boolean opening;

  PublishStream(AgentConnection connection, Backoff backoff) {
    this.connection = connection;
    this.backoff = backoff;
  }

  /** Sends a broadcast now, or when the agent accepts it. */
  void send(BroadcastCall call) {
    Session current;
    synchronized (this) {
      if (call.isOver()) {
        return; // It has been withdrawn already.
      }
      lastOrder++;
      call.setOrder(lastOrder);
      unsent.add(call);
      current = session;
      if (current == null && !opening) {
        opening = true;
      } else if (current == null || !current.began) {
        return;
      }
    }
    if (current == null) {
      connection.whenConnected(open);
    } else {
      current.drain();
    }
  }

  /** Withdraws a broadcast that its caller has cancelled; no effect if it was answered. */
  void withdraw(BroadcastCall call) {
    Session sentOn;
    synchronized (this) {
      sentOn = call.sentOn();
      if (sentOn == null) {
        unsent.remove(call);
        return;
      }
      sentOn.withdraw(call);
    }
    sentOn.drain();
  }

  /** Returns whether the agent is connected, or was at the last attempt. */
  synchronized boolean isConnected() {
    return connection.isConnected() || (session != null && session.progress.sent());
  }

  /**
   * Withdraws a broadcast that waits for a connection while there is none. No effect if it was
   * sent, or if the agent is connected.
   *
   * @return the failure; null if it was not withdrawn
   */
  synchronized @Nullable TreecastException withdrawUnreachable(BroadcastCall call) {
    return !isConnected() && unsent.remove(call) ? call.unreachable() : null;
  }

  /**
   * Withdraws a broadcast that has timed out, and returns its failure. The lock is the same as that
   * for sending, so a broadcast that is reported as unsent is not sent afterwards.
   */
  synchronized TreecastException expire(BroadcastCall call) {
    if (!unsent.remove(call)) {
      return call.unanswered();
    }
    if (!isConnected()) {
      return call.unreachable();
    }
    return session != null && session.began ? call.heldBack() : call.neverAccepted();
  }

  /**
   * Sends broadcasts that an agent has refused because it shuts down to the next agent, before
   * later broadcasts.
   */
  private synchronized void sendElsewhere(Session left, List<BroadcastCall> refused) {
    if (session == left) {
      session = null;
    }
    for (BroadcastCall call : refused) {
      call.notAccepted();
      if (!call.isOver()) {
        unsent.add(call);
      }
    }
    reopen(false);
  }

  private synchronized void open() {
    opening = false;
    if (session == null && !unsent.isEmpty()) {
      session = new Session();
      session.start();
    }
  }

  /** Opens the next call, unless there is nothing to send. */
  private synchronized void reopen(boolean atOnce) {
    if (!unsent.isEmpty() && !opening && session == null) {
      opening = true;
      var unused =
          connection.schedule(
              () -> connection.whenConnected(open), atOnce ? 0 : backoff.nextDelayNanos());
    }
  }

  /** A gRPC call. Its callbacks run on the network's threads. */
  final class Session implements ClientResponseObserver<PublishRequest, PublishResponse> {
    final CallProgress progress = new CallProgress();
    private final Route route = connection.route();

    // Guarded by the stream.
    /** In the order of the numbers. */
    private final Map<Long, BroadcastCall> sent = new LinkedHashMap<>();

    private @Nullable ClientCallStreamObserver<PublishRequest> requests;
    private boolean began;
    private long maxPayloadBytes;
    private int maxBroadcasts;
    private long lastNumber;

    void start() {
      var unused =
          ClientCalls.asyncBidiStreamingCall(
              route.newCall(
                  TreecastServiceGrpc.getPublishMethod(),
                  CallOptions.DEFAULT
                      .withWaitForReady()
                      // Callbacks do not block, and another executor would first have to wake a
                      // thread.
                      .withExecutor(Runnable::run)
                      .withOnReadyThreshold(UNSENT_BYTES)
                      .withStreamTracerFactory(progress)),
              this);
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<PublishRequest> stream) {
      requests = stream;
      stream.setOnReadyHandler(this::drain);
    }

    /** Sends waiting broadcasts while network and agent accept more. */
    void drain() {
      List<BroadcastCall> tooLarge = new ArrayList<>();
      List<BroadcastCall> elsewhere = new ArrayList<>();
      synchronized (PublishStream.this) {
        ClientCallStreamObserver<PublishRequest> out = requests;
        while (out != null && session == this && began && hasNext() && out.isReady()) {
          PublishRequest.Builder shared = PublishRequest.newBuilder().setNumber(lastNumber + 1);
          long bytes = 0;
          while (hasNext() && hasRoom(shared, bytes)) {
            BroadcastCall next = Objects.requireNonNull(unsent.pollFirst());
            if (next.payloadBytes() > maxPayloadBytes) {
              tooLarge.add(next);
            } else if (connection.agents().areSeveral() && !next.maySendTo(route.agent())) {
              elsewhere.add(next);
            } else {
              lastNumber++;
              sent.put(lastNumber, next);
              next.setSent(this, lastNumber);
              shared.addBroadcasts(next.request(route.agent()));
              bytes += next.payloadBytes();
            }
          }
          if (shared.getBroadcastsCount() > 0) {
            out.onNext(shared.build());
          }
        }
      }
      tooLarge.forEach(call -> call.tooLarge(maxPayloadBytes));
      elsewhere.forEach(call -> call.sentElsewhere(route.agent()));
    }

    private boolean hasNext() {
      return !unsent.isEmpty() && sent.size() < UNANSWERED_BROADCASTS;
    }

    /** Returns whether a message of this size has room for the next broadcast. */
    private boolean hasRoom(PublishRequest.Builder shared, long bytes) {
      int count = shared.getBroadcastsCount();
      return count == 0
          || (count < maxBroadcasts && bytes + unsent.first().payloadBytes() <= SHARED_BYTES);
    }

    void withdraw(BroadcastCall call) {
      call.setAnswered();
      sent.remove(call.number());
      if (requests != null) {
        requests.onNext(
            PublishRequest.newBuilder()
                .setNumber(call.number())
                .setWithdrawal(Withdrawal.getDefaultInstance())
                .build());
      }
    }

    @Override
    public void onNext(PublishResponse response) {
      if (response.hasBegan()) {
        begin(response.getBegan());
      }
      PublicFuture.together(() -> response.getAnswersList().forEach(this::answered));
      drain();
    }

    private void answered(PublishAnswer answer) {
      BroadcastCall call;
      synchronized (PublishStream.this) {
        call = sent.remove(answer.getNumber());
        if (call != null) {
          call.setAnswered();
        }
      }
      if (call == null) {
        return; // Its caller has cancelled it.
      }
      if (answer.hasAccepted()) {
        call.accepted(answer.getAccepted());
      } else {
        CallFailure failure = CallFailure.of(answer.getRefused());
        if (failure.isShutdown() && connection.agents().areSeveral()) {
          connection.leave(route);
          sendElsewhere(this, List.of(call));
        } else {
          call.refused(failure);
        }
      }
    }

    private void begin(PublishingBegan limits) {
      synchronized (PublishStream.this) {
        began = true;
        maxPayloadBytes = limits.getMaxPayloadBytes();
        maxBroadcasts = limits.getMaxBroadcasts();
        backoff.reset();
      }
    }

    @Override
    public void onError(Throwable error) {
      end(CallFailure.of(error));
    }

    @Override
    public void onCompleted() {
      end(CallFailure.of(Status.UNKNOWN.withDescription("it ended the call")));
    }

    /** Returns the broadcasts without an answer in the order in which they were sent. */
    private List<BroadcastCall> forgetSent() {
      synchronized (PublishStream.this) {
        List<BroadcastCall> all = List.copyOf(sent.values());
        sent.clear();
        all.forEach(BroadcastCall::setAnswered);
        return all;
      }
    }

    private void end(CallFailure failure) {
      // An agent that stops has not accepted unanswered broadcasts.
      boolean stops = failure.isShutdown();
      if (stops && connection.agents().areSeveral()) {
        sendElsewhere(this, forgetSent());
        return;
      }
      List<BroadcastCall> refused = new ArrayList<>();
      List<BroadcastCall> notTaken = new ArrayList<>();
      List<BroadcastCall> lost = new ArrayList<>();
      synchronized (PublishStream.this) {
        (stops ? refused : lost).addAll(forgetSent());
        if (session != this) {
          // The client has switched agents; unsent broadcasts go to the next.
        } else if (stops || (progress.answered() && !began)) {
          notTaken.addAll(unsent);
          unsent.clear();
        }
        session = session == this ? null : session;
        reopen(began);
      }
      refused.forEach(call -> call.refused(failure));
      notTaken.forEach(call -> call.notTaken(failure));
      lost.forEach(call -> call.lost(failure));
    }
  }
}
