package io.treecast.agent.runtime.application;

import io.grpc.ServerServiceDefinition;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.core.AgentCore;
import io.treecast.agent.core.data.Participation;
import io.treecast.agent.core.publish.Publication;
import io.treecast.agent.core.publish.Publication.Attempt;
import io.treecast.agent.core.publish.PublishOutcome;
import io.treecast.agent.permission.Action;
import io.treecast.agent.permission.Caller;
import io.treecast.agent.runtime.loop.EventLoop;
import io.treecast.agent.runtime.server.ClientConnections;
import io.treecast.agent.transport.frame.SubscriberEvents;
import io.treecast.agent.wire.PayloadBytes;
import io.treecast.agent.wire.SubscriptionCodec;
import io.treecast.agent.wire.TakePartCodec;
import io.treecast.agent.wire.value.ValueCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.AwaitConfirmationRequest;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.FindUnwantedRequest;
import io.treecast.proto.v1.FindUnwantedResponse;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * The gRPC service for applications. gRPC's threads hand over to the agent's loop and touch nothing
 * else.
 */
public final class ClientEndpoint extends TreecastServiceGrpc.TreecastServiceImplBase {
  /** Longest that a broadcast may wait for a tree and for room. */
  private static final long MAX_WAIT_MILLIS = TimeUnit.HOURS.toMillis(1);

  /** A first attempt that is older is as good as one of that age: no agent remembers so long. */
  private static final long MAX_AGE_MILLIS = TimeUnit.DAYS.toMillis(36_500);

  /** The most topics that one call of FindUnwanted names. */
  private static final int MAX_FOUND_TOPICS = 1_000;

  private final NodeId self;
  private final Supplier<AgentCore> core;
  private final EventLoop loop;
  private final Applications applications;
  private final LongAdder refusedBehind;

  /**
   * Creates the endpoint of one agent.
   *
   * @param refusedBehind counts broadcasts that are refused because the loop is behind
   */
  public ClientEndpoint(
      NodeId self,
      Supplier<AgentCore> core,
      EventLoop loop,
      Applications applications,
      LongAdder refusedBehind) {
    this.self = self;
    this.core = core;
    this.loop = loop;
    this.applications = applications;
    this.refusedBehind = refusedBehind;
  }

  /** Returns the service, whose events for subscribers are written without protobuf's objects. */
  public ServerServiceDefinition service() {
    return SubscriberEvents.in(bindService(), this::deliver);
  }

  @Override
  public void broadcast(BroadcastRequest request, StreamObserver<BroadcastResponse> response) {
    try {
      check(request);
      Refusals.requirePermission(
          Caller.current(), Action.PUBLISH, List.of(Topic.permittedAs(request.getTopic())));
    } catch (IllegalArgumentException e) {
      response.onError(Refusals.invalid(String.valueOf(e.getMessage())));
      return;
    } catch (StatusException e) {
      response.onError(e);
      return;
    }
    Answer answer = Answer.to(response);
    answer
        .response()
        .setOnCancelHandler(() -> loop.execute(() -> core.get().dropCancelled(loop.nowNanos())));
    String client = ClientConnections.current();
    loop.offer(
        request.getSerializedSize(),
        () -> {
          long now = loop.nowNanos();
          core.get().publish(publication(client, request, now), answer, now);
        },
        () -> {
          if (loop.isRunning()) {
            refusedBehind.increment();
          }
          response.onError(refusal());
        });
  }

  /**
   * Checks the fields that an agent cannot correct.
   *
   * @throws IllegalArgumentException if a value is not allowed
   */
  static void check(BroadcastRequest request) {
    if (request.getRetryToken().length() > Attempt.MAX_TOKEN_LENGTH) {
      throw new IllegalArgumentException(
          "the retry token has %s characters; allowed are %s"
              .formatted(request.getRetryToken().length(), Attempt.MAX_TOKEN_LENGTH));
    }
    if (request.getHeaders().size() > Headers.MAX_BYTES) {
      throw new IllegalArgumentException(
          "the headers have %s bytes; allowed are %s"
              .formatted(request.getHeaders().size(), Headers.MAX_BYTES));
    }
    Topic.checked(request.getTopic());
    Chunk.checkReceiptMillis(request.getTopic(), receiptMillis(request));
    WantedReplicas unused = new WantedReplicas(request.getReplicas(), 0);
  }

  /** Returns the publication of a checked request. */
  static Publication publication(String client, BroadcastRequest request, long nowNanos) {
    long ageMillis = within(request.getTokenAgeMillis(), MAX_AGE_MILLIS);
    return new Publication(
        client,
        request.getTopic(),
        PayloadBytes.of(request.getPayload()),
        request.hasCrc32C() ? (Integer) request.getCrc32C() : null,
        nowNanos + TimeUnit.MILLISECONDS.toNanos(within(request.getWaitMillis(), MAX_WAIT_MILLIS)),
        receiptMillis(request),
        request.getReplicas(),
        request.getRetryToken().isEmpty()
            ? null
            : new Attempt(
                request.getRetryToken(), nowNanos - TimeUnit.MILLISECONDS.toNanos(ageMillis)),
        new Headers(PayloadBytes.of(request.getHeaders())));
  }

  private static int receiptMillis(BroadcastRequest request) {
    return (int) within(request.getConfirmMillis(), Chunk.MAX_RECEIPT_MILLIS);
  }

  /** Clamps a number that is sent without sign. */
  private static long within(long number, long most) {
    return Long.compareUnsigned(number, most) > 0 ? most : number;
  }

  @Override
  public void awaitConfirmation(
      AwaitConfirmationRequest request, StreamObserver<AwaitConfirmationResponse> response) {
    MessageId message;
    try {
      message = ValueCodec.decode(request.getMessageId());
      Refusals.requirePermission(
          Caller.current(), Action.PUBLISH, List.of(Topic.permittedAs(message.stream().topic())));
    } catch (WireViolation e) {
      response.onError(Refusals.invalid("message_id: " + e.getMessage()));
      return;
    } catch (StatusException e) {
      response.onError(e);
      return;
    }
    ServerCallStreamObserver<AwaitConfirmationResponse> out =
        (ServerCallStreamObserver<AwaitConfirmationResponse>) response;
    out.setOnCancelHandler(() -> loop.execute(() -> applications.waiters().remove(message, out)));
    // It holds no memory, and must not be refused for the sake of payloads.
    loop.offer(() -> applications.waiters().add(message, out), () -> out.onError(refusal()));
  }

  @Override
  public void takePart(TakePartRequest request, StreamObserver<TakePartResponse> response) {
    Participation participation;
    try {
      participation = TakePartCodec.decode(self, request);
      Refusals.requirePermission(
          Caller.current(), Action.TAKE_PART, List.of(participation.operation().nameOfWhole()));
    } catch (WireViolation e) {
      response.onError(Refusals.invalid(String.valueOf(e.getMessage())));
      return;
    } catch (StatusException e) {
      response.onError(e);
      return;
    }
    ServerCallStreamObserver<TakePartResponse> out =
        (ServerCallStreamObserver<TakePartResponse>) response;
    // Numbered on the loop, where what follows its end runs after it.
    AtomicLong number = new AtomicLong();
    String client = ClientConnections.current();
    Runnable over = () -> loop.execute(() -> applications.collectives().remove(number.get()));
    out.setOnCancelHandler(over);
    out.setOnCloseHandler(over);
    loop.offer(
        request.getSerializedSize(),
        () -> number.set(applications.collectives().add(client, participation, out)),
        () -> out.onError(refusal()));
  }

  @Override
  public void findUnwanted(
      FindUnwantedRequest request, StreamObserver<FindUnwantedResponse> response) {
    List<String> topics = request.getTopicsList();
    try {
      if (topics.size() > MAX_FOUND_TOPICS) {
        throw Refusals.invalid(
            "the request has " + topics.size() + " topics; allowed are " + MAX_FOUND_TOPICS);
      }
      topics.forEach(Topic::checked);
      Refusals.requirePermission(Caller.current(), Action.PUBLISH, topics);
    } catch (IllegalArgumentException e) {
      response.onError(Refusals.invalid(String.valueOf(e.getMessage())));
      return;
    } catch (StatusException e) {
      response.onError(e);
      return;
    }
    loop.offer(
        request.getSerializedSize(),
        () -> {
          FindUnwantedResponse.Builder found = FindUnwantedResponse.newBuilder();
          for (String topic : topics) {
            switch (core.get().interest(topic)) {
              case YES -> {}
              case NO -> found.addUnwanted(topic);
              case UNKNOWN -> found.setIncomplete(true);
            }
          }
          response.onNext(found.build());
          response.onCompleted();
        },
        () -> response.onError(refusal()));
  }

  private StatusException refusal() {
    return loop.isRunning() ? Refusals.noRoom(behind(loop)) : Refusals.shuttingDown();
  }

  /** Returns why a request is refused for which the loop has no room. */
  static String behind(EventLoop loop) {
    return "the agent has not processed earlier requests yet: at most "
        + EventLoop.MAX_OFFERED_TASKS
        + " of them wait, and no more bytes than limits.publishBufferBytes, which is "
        + loop.maxOfferedBytes();
  }

  private record Answer(ServerCallStreamObserver<BroadcastResponse> response)
      implements PublishOutcome {
    static Answer to(StreamObserver<BroadcastResponse> response) {
      return new Answer((ServerCallStreamObserver<BroadcastResponse>) response);
    }

    @Override
    public boolean isWanted() {
      return !response.isCancelled();
    }

    @Override
    public void accepted(MessageId messageId, long treeVersion, int replicas) {
      response.onNext(answer(messageId, treeVersion, replicas));
      response.onCompleted();
    }

    @Override
    public void refused(BroadcastRefusedException.Reason reason, String text) {
      response.onError(Refusals.of(reason, text));
    }
  }

  static BroadcastResponse answer(MessageId messageId, long treeVersion, int replicas) {
    return BroadcastResponse.newBuilder()
        .setMessageId(ValueCodec.encode(messageId))
        .setTreeVersion(treeVersion)
        .setReplicas(replicas)
        .build();
  }

  @Override
  public StreamObserver<PublishRequest> publish(StreamObserver<PublishResponse> response) {
    return applications.publishing().accepted((ServerCallStreamObserver<PublishResponse>) response);
  }

  @Override
  public StreamObserver<UploadRequest> upload(StreamObserver<UploadResponse> response) {
    return applications.uploads().accepted((ServerCallStreamObserver<UploadResponse>) response);
  }

  private void deliver(SubscribeRequest request, StreamObserver<SubscriberEvents> response) {
    ServerCallStreamObserver<SubscriberEvents> out =
        (ServerCallStreamObserver<SubscriberEvents>) response;
    // Numbered on the loop; both handlers run there after it.
    AtomicLong number = new AtomicLong();
    String client = ClientConnections.current();
    String address = ClientConnections.address();
    Caller caller = Caller.current();
    out.setOnCancelHandler(
        () -> loop.execute(() -> applications.subscribers().remove(number.get())));
    out.setOnReadyHandler(() -> loop.execute(() -> applications.subscribers().ready(number.get())));
    SubscribeOptions options;
    try {
      options = SubscriptionCodec.decode(request);
    } catch (WireViolation e) {
      out.onError(Refusals.invalid(String.valueOf(e.getMessage())));
      return;
    }
    loop.offer(
        request.getSerializedSize(),
        () -> number.set(applications.subscribers().add(caller, client, address, options, out)),
        () -> out.onError(refusal()));
  }

  @Override
  public void watchTree(WatchTreeRequest request, StreamObserver<WatchTreeResponse> response) {
    ServerCallStreamObserver<WatchTreeResponse> out =
        (ServerCallStreamObserver<WatchTreeResponse>) response;
    out.setOnCancelHandler(() -> loop.execute(() -> applications.watchers().remove(out)));
    out.setOnReadyHandler(() -> loop.execute(() -> applications.watchers().ready(out)));
    Caller caller = Caller.current();
    String client = ClientConnections.current();
    loop.offer(
        () -> applications.watchers().add(caller, client, out), () -> out.onError(refusal()));
  }
}
