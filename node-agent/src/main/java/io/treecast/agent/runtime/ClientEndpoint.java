package io.treecast.agent.runtime;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.PublishOutcome;
import io.treecast.agent.wire.SubscriptionCodec;
import io.treecast.agent.wire.ValueCodec;
import io.treecast.agent.wire.WireViolation;
import io.treecast.collectives.BroadcastRefusedException;
import io.treecast.collectives.MessageId;
import io.treecast.collectives.SubscribeOptions;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Serves applications. gRPC's threads hand over to the agent's loop and touch nothing else. */
final class ClientEndpoint extends TreecastServiceGrpc.TreecastServiceImplBase {
  /** Longest that a broadcast may wait for a tree. */
  private static final long MAX_WAIT_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final Subscribers subscribers;
  private final TreeWatchers watchers;

  ClientEndpoint(
      Supplier<AgentCore> core, EventLoop loop, Subscribers subscribers, TreeWatchers watchers) {
    this.core = core;
    this.loop = loop;
    this.subscribers = subscribers;
    this.watchers = watchers;
  }

  @Override
  public void broadcast(BroadcastRequest request, StreamObserver<BroadcastResponse> response) {
    long waitMillis = Math.max(0, Math.min(request.getWaitMillis(), MAX_WAIT_MILLIS));
    loop.offer(
        () -> {
          long now = loop.nowNanos();
          core.get()
              .publish(
                  request.getPayload().asReadOnlyByteBuffer(),
                  now + TimeUnit.MILLISECONDS.toNanos(waitMillis),
                  new Answer(response),
                  now);
        },
        () -> response.onError(refusal()));
  }

  private StatusException refusal() {
    Status status =
        loop.isRunning()
            ? Status.RESOURCE_EXHAUSTED.withDescription(
                "the agent has " + EventLoop.MAX_OFFERED_TASKS + " requests waiting")
            : Status.UNAVAILABLE.withDescription("the agent is shutting down");
    return status.asException();
  }

  private record Answer(StreamObserver<BroadcastResponse> response) implements PublishOutcome {
    @Override
    public void accepted(MessageId messageId, long treeVersion) {
      response.onNext(
          BroadcastResponse.newBuilder()
              .setMessageId(ValueCodec.encode(messageId))
              .setTreeVersion(treeVersion)
              .build());
      response.onCompleted();
    }

    @Override
    public void refused(BroadcastRefusedException.Reason reason, String text) {
      Status status =
          switch (reason) {
            case PAYLOAD_TOO_LARGE, NOT_A_POSITION -> Status.INVALID_ARGUMENT;
            case PUBLISH_BUFFER_FULL, TOO_MANY_SUBSCRIBERS -> Status.RESOURCE_EXHAUSTED;
            case NO_TREE -> Status.UNAVAILABLE;
          };
      response.onError(status.withDescription(text).asException());
    }
  }

  @Override
  public void subscribe(SubscribeRequest request, StreamObserver<SubscribeResponse> response) {
    ServerCallStreamObserver<SubscribeResponse> out =
        (ServerCallStreamObserver<SubscribeResponse>) response;
    // Numbered on the loop; both handlers run there after it.
    AtomicLong number = new AtomicLong();
    out.setOnCancelHandler(() -> loop.execute(() -> subscribers.remove(number.get())));
    out.setOnReadyHandler(() -> loop.execute(() -> subscribers.ready(number.get())));
    SubscribeOptions options;
    try {
      options = SubscriptionCodec.decode(request);
    } catch (WireViolation e) {
      out.onError(Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asException());
      return;
    }
    loop.offer(() -> number.set(subscribers.add(options, out)), () -> out.onError(refusal()));
  }

  @Override
  public void watchTree(WatchTreeRequest request, StreamObserver<WatchTreeResponse> response) {
    ServerCallStreamObserver<WatchTreeResponse> out =
        (ServerCallStreamObserver<WatchTreeResponse>) response;
    out.setOnCancelHandler(() -> loop.execute(() -> watchers.remove(out)));
    out.setOnReadyHandler(() -> loop.execute(() -> watchers.ready(out)));
    loop.offer(() -> watchers.add(out), () -> out.onError(refusal()));
  }
}
