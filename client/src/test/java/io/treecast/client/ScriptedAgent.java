package io.treecast.client;

import com.google.protobuf.ByteString;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.proto.v1.AwaitConfirmationRequest;
import io.treecast.proto.v1.AwaitConfirmationResponse;
import io.treecast.proto.v1.BroadcastRequest;
import io.treecast.proto.v1.BroadcastResponse;
import io.treecast.proto.v1.Chunk;
import io.treecast.proto.v1.PublishRequest;
import io.treecast.proto.v1.PublishResponse;
import io.treecast.proto.v1.SubscribeRequest;
import io.treecast.proto.v1.SubscribeResponse;
import io.treecast.proto.v1.Subscribed;
import io.treecast.proto.v1.SubscriptionBegan;
import io.treecast.proto.v1.SubscriptionEvent;
import io.treecast.proto.v1.TakePartRequest;
import io.treecast.proto.v1.TakePartResponse;
import io.treecast.proto.v1.TreeStatus;
import io.treecast.proto.v1.TreecastServiceGrpc;
import io.treecast.proto.v1.UploadRequest;
import io.treecast.proto.v1.UploadResponse;
import io.treecast.proto.v1.WatchTreeRequest;
import io.treecast.proto.v1.WatchTreeResponse;
import io.treecast.tls.TlsFiles;
import io.treecast.tls.TlsFilesException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The agent's side of the client protocol, on a real loopback connection, with scripted behaviour.
 * It keeps its port for its whole life; while it is stopped, connections are refused.
 */
final class ScriptedAgent implements AutoCloseable {
  static final String NODE_ID = "h1";
  static final long INCARNATION = 0x9f3a6c01d2e4b587L;
  private static final int MAX_INBOUND_MESSAGE_BYTES = 16 * 1024 * 1024;
  private static final int MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

  /** Answers a broadcast. */
  interface BroadcastScript {
    void answer(BroadcastRequest request, StreamObserver<BroadcastResponse> answer);
  }

  final List<BroadcastRequest> broadcasts = new CopyOnWriteArrayList<>();
  final List<ScriptedPublishing.Answer> answers = new CopyOnWriteArrayList<>();

  /** The calls for broadcasts, in order. */
  final List<ScriptedPublishing> publishing = new CopyOnWriteArrayList<>();

  final List<SubscribeRequest> subscribeRequests = new CopyOnWriteArrayList<>();
  final List<ServerCallStreamObserver<SubscribeResponse>> subscribers =
      new CopyOnWriteArrayList<>();
  final List<ScriptedUpload> uploads = new CopyOnWriteArrayList<>();
  final List<ServerCallStreamObserver<WatchTreeResponse>> watchers = new CopyOnWriteArrayList<>();

  /** The queries for confirmations, and the observers of their answers in the same order. */
  final List<AwaitConfirmationRequest> questions = new CopyOnWriteArrayList<>();

  final List<ServerCallStreamObserver<AwaitConfirmationResponse>> confirmations =
      new CopyOnWriteArrayList<>();

  /** The requests of collective operations, and the observers of their outcomes. */
  final List<TakePartRequest> operations = new CopyOnWriteArrayList<>();

  final List<ServerCallStreamObserver<TakePartResponse>> outcomes = new CopyOnWriteArrayList<>();

  private final int maxCallsPerConnection;
  private final SocketChannel reservation;
  private final int port;
  private volatile BroadcastScript broadcastScript = ScriptedAgent::accept;
  private volatile Consumer<ScriptedPublishing> publishScript =
      call -> call.begin(MAX_PAYLOAD_BYTES);
  private volatile StreamScript subscribeScript = ScriptedAgent::confirm;
  private volatile boolean hanging;
  private volatile ServerCredentials credentials = InsecureServerCredentials.create();
  private @Nullable Server server;

  /** Handles a new subscription. */
  interface StreamScript {
    void opened(ServerCallStreamObserver<SubscribeResponse> subscriber);
  }

  private ScriptedAgent(int maxCallsPerConnection) throws IOException {
    this.maxCallsPerConnection = maxCallsPerConnection;
    // Bound but not listening: no other process gets the port, and the server below can still bind
    // it.
    reservation = SocketChannel.open();
    reservation.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    port = ((InetSocketAddress) reservation.getLocalAddress()).getPort();
  }

  static ScriptedAgent stopped() {
    return stopped(Integer.MAX_VALUE);
  }

  private static ScriptedAgent stopped(int maxCallsPerConnection) {
    try {
      return new ScriptedAgent(maxCallsPerConnection);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ScriptedAgent running() {
    return running(Integer.MAX_VALUE);
  }

  /**
   * Returns an agent whose connections accept no more open calls than this; further ones wait in
   * the client's transport.
   */
  static ScriptedAgent running(int maxCallsPerConnection) {
    ScriptedAgent agent = stopped(maxCallsPerConnection);
    agent.start();
    return agent;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  void start() {
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
              .permitKeepAliveTime(10, TimeUnit.SECONDS)
              .maxInboundMessageSize(MAX_INBOUND_MESSAGE_BYTES)
              .maxConcurrentCallsPerConnection(maxCallsPerConnection)
              .addService(ServerInterceptors.intercept(new Service(), new Taking()))
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Uses TLS from the next start on, with the certificate in this directory. */
  void secureBy(Path directory) throws TlsFilesException {
    try (TlsFiles files = TlsFiles.ofAgent(directory, NODE_ID, problem -> {})) {
      credentials = files.asAgent();
    }
  }

  /** Breaks all connections and stops listening, as a killed agent does. */
  void stop() {
    if (server == null) {
      return;
    }
    server.shutdownNow();
    try {
      if (!server.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the scripted agent does not stop");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server = null;
  }

  @Override
  public void close() {
    stop();
    try {
      reservation.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void onBroadcast(BroadcastScript script) {
    broadcastScript = script;
  }

  /** Sets the script for new calls for broadcasts. */
  void onPublish(Consumer<ScriptedPublishing> script) {
    publishScript = script;
  }

  void onSubscribe(StreamScript script) {
    subscribeScript = script;
  }

  /** Stops accepting subscriptions, like an agent that hangs. */
  void hang() {
    hanging = true;
    subscribeScript = subscriber -> {};
  }

  /** Accepts, with the payload's length as tree version. */
  static void accept(BroadcastRequest request, StreamObserver<BroadcastResponse> answer) {
    answer.onNext(
        BroadcastResponse.newBuilder()
            .setMessageId(messageId(NODE_ID, 7))
            .setTreeVersion(request.getPayload().size())
            .build());
    answer.onCompleted();
  }

  /** Confirms a subscription, and reports its beginning. */
  static void confirm(
      StreamObserver<SubscribeResponse> subscriber, io.treecast.proto.v1.MessageId... after) {
    confirmWithoutBegin(subscriber);
    subscriber.onNext(
        one(
            SubscriptionEvent.newBuilder()
                .setBegan(SubscriptionBegan.newBuilder().addAllAfter(List.of(after)))));
  }

  /** Sends the first of the two events that put a subscription in place. */
  static void confirmWithoutBegin(StreamObserver<SubscribeResponse> subscriber) {
    subscriber.onNext(
        one(
            SubscriptionEvent.newBuilder()
                .setSubscribed(Subscribed.newBuilder().setNodeId(NODE_ID))));
  }

  /** Returns the subscriber of that number, from 0; waits until the script has received it. */
  ServerCallStreamObserver<SubscribeResponse> subscriber(int number) {
    synchronized (subscribers) {
      return subscribers.get(number);
    }
  }

  /** Sends a chunk to the newest subscriber. */
  void sendChunk(String origin, long sequence, int index, boolean last, String payload) {
    synchronized (subscribers) {
      subscriber(subscribers.size() - 1)
          .onNext(chunk(origin, sequence, index, last, ByteString.copyFromUtf8(payload)));
    }
  }

  /** Sends a message of one chunk to the newest subscriber. */
  void sendMessage(String origin, long sequence, String payload) {
    sendChunk(origin, sequence, 0, true, payload);
  }

  /** Sends any event to the newest subscriber. */
  void sendEvent(SubscriptionEvent event) {
    synchronized (subscribers) {
      subscriber(subscribers.size() - 1).onNext(one(event.toBuilder()));
    }
  }

  /** Sends the tree to the newest watcher. */
  void sendTree(TreeStatus status) {
    watchers
        .get(watchers.size() - 1)
        .onNext(WatchTreeResponse.newBuilder().setStatus(status).build());
  }

  static SubscribeResponse chunk(
      String origin, long sequence, int index, boolean last, ByteString payload) {
    return one(
        SubscriptionEvent.newBuilder()
            .setChunk(
                Chunk.newBuilder()
                    .setMessageId(messageId(origin, sequence))
                    .setIndex(index)
                    .setLast(last)
                    .setPayload(payload)));
  }

  static SubscribeResponse one(SubscriptionEvent.Builder event) {
    return SubscribeResponse.newBuilder().addEvents(event).build();
  }

  static io.treecast.proto.v1.MessageId messageId(String origin, long sequence) {
    return io.treecast.proto.v1.MessageId.newBuilder()
        .setOrigin(origin)
        .setIncarnation(INCARNATION)
        .setSequence(sequence)
        .build();
  }

  /** Sends the response headers of each call before the script runs. */
  private final class Taking implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      if (hanging || call.getMethodDescriptor() != TreecastServiceGrpc.getSubscribeMethod()) {
        return next.startCall(call, headers);
      }
      call.sendHeaders(new Metadata());
      return next.startCall(
          new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendHeaders(Metadata sentBefore) {}
          },
          headers);
    }
  }

  private final class Service extends TreecastServiceGrpc.TreecastServiceImplBase {
    @Override
    public StreamObserver<PublishRequest> publish(StreamObserver<PublishResponse> responses) {
      ScriptedPublishing call =
          new ScriptedPublishing(
              (ServerCallStreamObserver<PublishResponse>) responses,
              (request, answer) -> {
                broadcasts.add(request);
                answers.add(answer);
                broadcastScript.answer(request, answer);
              });
      publishing.add(call);
      publishScript.accept(call);
      return call;
    }

    @Override
    public void awaitConfirmation(
        AwaitConfirmationRequest request, StreamObserver<AwaitConfirmationResponse> answer) {
      var call = (ServerCallStreamObserver<AwaitConfirmationResponse>) answer;
      call.setOnCancelHandler(() -> {});
      synchronized (confirmations) {
        questions.add(request);
        confirmations.add(call);
      }
    }

    @Override
    public void takePart(TakePartRequest request, StreamObserver<TakePartResponse> answer) {
      var call = (ServerCallStreamObserver<TakePartResponse>) answer;
      call.setOnCancelHandler(() -> {});
      operations.add(request);
      outcomes.add(call);
    }

    @Override
    public StreamObserver<UploadRequest> upload(StreamObserver<UploadResponse> answer) {
      ScriptedUpload upload = new ScriptedUpload((ServerCallStreamObserver<UploadResponse>) answer);
      uploads.add(upload);
      return upload;
    }

    @Override
    public void subscribe(SubscribeRequest request, StreamObserver<SubscribeResponse> events) {
      var call = (ServerCallStreamObserver<SubscribeResponse>) events;
      call.setOnCancelHandler(() -> {});
      subscribeRequests.add(request);
      synchronized (subscribers) {
        subscribeScript.opened(call);
        subscribers.add(call);
      }
    }

    @Override
    public void watchTree(WatchTreeRequest request, StreamObserver<WatchTreeResponse> events) {
      var call = (ServerCallStreamObserver<WatchTreeResponse>) events;
      call.setOnCancelHandler(() -> {});
      watchers.add(call);
    }
  }
}
