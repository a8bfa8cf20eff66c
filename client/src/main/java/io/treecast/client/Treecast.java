package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import io.treecast.proto.v1.FollowGroupRequest;
import io.treecast.proto.v1.WatchValuesRequest;
import io.treecast.proto.v1.WriteValueRequest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a Treecast agent: broadcasts to all members of the agent's tree, receives the
 * broadcasts of members, takes part in collective operations, and watches the tree.
 *
 * <pre>{@code
 * try (Treecast treecast = Treecast.connect("127.0.0.1:7700")) {
 *   Subscription subscription = treecast.subscribe(message ->
 *       System.out.println(message.origin() + "#" + message.sequence() + " " + message.text()));
 *   subscription.ready().join();                        // what is broadcast from here on is seen
 *
 *   BroadcastResult sent = treecast.broadcast("hello".getBytes(UTF_8)).join();
 *   System.out.println("sent as " + sent.messageId());
 * }
 * }</pre>
 *
 * <p><b>Connection.</b> {@link #connect} returns at once. An agent that does not run yet, or stops,
 * is not an error: the client reconnects until it is closed, with growing delays. Broadcasts wait
 * for the agent up to their own limit; subscriptions wait without limit and notify their handler
 * (see {@link ConnectionListener}). A client with several agents uses one of them as long as
 * possible, and then switches to the next. The connection is plain text, meant for an agent on the
 * same host, unless the builder has a certificate: see {@link TreecastBuilder#tls}.
 *
 * <p><b>Threads.</b> Handlers run on a thread of their own for each subscription, or on the
 * builder's executor, never on the network's threads. The publisher of an upload is also called on
 * a thread of its own, and may block. Callbacks of a returned future may block: they run on a pool
 * that grows up to 4,096 threads for all clients, or at once if the future is complete. {@link
 * #blocking} does not depend on that pool. All threads are daemons. Instances are safe for use by
 * several threads.
 *
 * <p><b>Errors</b> are {@link TreecastException}s; a {@code join()} wraps them in a {@link
 * java.util.concurrent.CompletionException}, {@link #blocking} throws them directly.
 */
public final class Treecast implements AutoCloseable {
  private static final Codec<byte[]> BYTES = Codec.of(bytes -> bytes, bytes -> bytes);

  private final ClientSettings settings;
  private final AgentConnection connection;
  private final PendingBroadcasts pendingBroadcasts;
  private final PendingUploads pendingUploads;
  private final PendingConfirmations pendingConfirmations;
  private final PendingCollectives pendingCollectives;
  private final Collectives collectives;
  private final Requests requests;
  private final PendingClaims pendingClaims = new PendingClaims();
  private final Claims claims;
  private final ClusterClock clock;
  private final ValueCalls valueCalls;
  private final Groups groups;
  private final Members members;
  private final BlockingTreecast blocking;
  private final @Nullable Executor handlerExecutor;
  private final ClientCounts counts;

  // Guarded by this.
  private final Set<Subscription> subscriptions = new LinkedHashSet<>();
  private long subscriptionsOpened;
  private @Nullable TreecastException closed;

  Treecast(ClientSettings settings) {
    this(
        settings,
        new AgentConnection(settings),
        () -> HandlerThread.start("treecast-upload-" + settings.agents()));
  }

  /**
   * Creates a client with a connection and threads that tests control.
   *
   * @param uploadThreads creates a thread for each upload
   */
  Treecast(
      ClientSettings settings,
      AgentConnection connection,
      Supplier<ExecutorService> uploadThreads) {
    this.settings = settings;
    Executor given = settings.handlerExecutor();
    this.handlerExecutor = given == null ? null : new HandlerExecutor(given, settings.agents());
    this.connection = connection;
    this.counts = new ClientCounts(connection::nowNanos);
    this.pendingUploads = new PendingUploads(connection, uploadThreads);
    this.pendingBroadcasts =
        new PendingBroadcasts(connection, connection.newBackoff(), settings.maxPendingBytes());
    this.pendingConfirmations = new PendingConfirmations(connection);
    this.pendingCollectives = new PendingCollectives(connection, settings);
    this.collectives =
        new Collectives(settings, pendingCollectives, PublicFuture::ofCall, OperationScope.TREE);
    this.requests = new Requests(this, connection);
    this.claims = new Claims(connection, pendingClaims);
    this.clock = new ClusterClock(connection, settings.defaultWait());
    this.valueCalls = new ValueCalls(this, connection, settings);
    this.groups = new Groups(this, connection, settings, pendingCollectives);
    this.members = new Members(this);
    this.blocking =
        new BlockingTreecast(
            this,
            new Collectives(settings, pendingCollectives, CallFuture::own, OperationScope.TREE),
            settings);
  }

  /**
   * Returns a client with the default settings. Does not block: see the class comment.
   *
   * @param agents {@code HOST:PORT} of an agent, an IPv6 address in brackets: {@code [::1]:7700};
   *     port 7700 by default. With several agents of one cluster, the client uses the first one
   *     that it reaches, and switches to the next when that one is unreachable or shuts down.
   *     Without an address, the environment's {@code TREECAST_AGENT}, or {@code 127.0.0.1:7700}
   * @throws IllegalArgumentException if a text is not an address, for example if the host has an
   *     underscore; or if an address is given twice
   */
  public static Treecast connect(String... agents) {
    return builder(agents).connect();
  }

  /**
   * Returns a builder, to set limits, delays and threads.
   *
   * @param agents as for {@link #connect}; a text may have several, separated by commas
   * @throws IllegalArgumentException as {@link #connect}
   */
  public static TreecastBuilder builder(String... agents) {
    return new TreecastBuilder(
        AgentAddresses.parse(agents, System.getenv(AgentAddresses.VARIABLE)));
  }

  /**
   * Returns a builder for clients of an agent in this process, which connect without a socket.
   * Applications obtain it from the agent: {@code Agent.client()} of {@code treecast-node-agent}.
   *
   * @param name the name of the agent's service in this process
   */
  public static TreecastBuilder inProcess(String name) {
    return new TreecastBuilder(new AgentAddresses(List.of(AgentAddress.inProcess(name))));
  }

  /**
   * Broadcasts on the default topic; waits for agent, tree and room no longer than {@link
   * TreecastBuilder#defaultWait}.
   *
   * @param payload the bytes to send; copied
   * @see #broadcast(byte[], Duration)
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload) {
    return broadcast(payload, settings.defaultWait());
  }

  /**
   * Sends a payload to every subscriber of the default topic, including this agent's own. The
   * future completes when the agent has accepted it.
   *
   * <p>A broadcast is never sent twice. An unsent one waits for a connection. If it is unknown
   * whether the agent has accepted it, it fails with {@code OUTCOME_UNKNOWN}, and the application
   * decides whether to repeat it, which a {@link RetryToken} makes safe. Subscribers receive an
   * origin's broadcasts on one topic in the order of their acceptance. That is the order of one
   * thread's calls while the connection lasts, even if the thread does not wait for the futures. If
   * a failure must delay the next broadcast, wait for each future.
   *
   * <p>When members or subscribers are slow, the agent may have no room, and the broadcast waits
   * there for its turn. A client that waits for each future before the next broadcast is slowed to
   * the speed of the slowest member. A client that does not wait soon exceeds its share of the
   * agent's queue, and further broadcasts fail with {@code BUFFER_FULL} at once.
   *
   * <p>Cancelling the future ends the wait: an unsent broadcast is not sent. If it was sent, the
   * agent may have accepted it; the agent drops it if it still waits for a tree or for room.
   *
   * @param payload the bytes to send; copied
   * @param wait the total wait for the agent and, in the agent, for a tree and for room; the answer
   *     may take a few seconds longer
   * @return fails with a {@link TreecastException} that has one of the reasons {@code
   *     AGENT_UNREACHABLE}, {@code NO_TREE}, {@code BUFFER_FULL}, {@code PAYLOAD_TOO_LARGE}, {@code
   *     OUTCOME_UNKNOWN}, {@code REFUSED}, {@code CLOSED}
   * @throws IllegalArgumentException if {@code wait} is negative or longer than {@link
   *     TreecastBuilder#MAX_WAIT}
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload, Duration wait) {
    return broadcast(payload, BroadcastOptions.defaults().withWait(wait));
  }

  /**
   * Broadcasts with options, otherwise as {@link #broadcast(byte[], Duration)}: on a topic, with
   * confirmations or replicas, or with a retry token.
   *
   * <p>If members are asked to {@linkplain BroadcastOptions#withConfirm confirm}, the future
   * completes when all have confirmed or have left the tree, or at the deadline. It fails with
   * {@code NOT_CONFIRMED} if the confirmations cannot be learnt, or are fewer than a minimum. It
   * fails with {@code NOT_REPLICATED} if fewer members than the required {@linkplain
   * BroadcastOptions#withReplicas replicas} have the broadcast at the end of the wait. In both
   * cases the agent has accepted the broadcast.
   *
   * @param payload the bytes to send; copied
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownBroadcast(payload, options));
  }

  /** Broadcasts, and returns the client's own future. */
  CompletableFuture<BroadcastResult> ownBroadcast(byte[] payload, BroadcastOptions options) {
    Selector selector = Objects.requireNonNull(options, "options").selector();
    return selector == null
        ? result(send(payload, options), options)
        : ownBroadcast(payload.clone(), options, selector);
  }

  private CompletableFuture<BroadcastResult> ownBroadcast(
      byte[] payload, BroadcastOptions options, Selector selector) {
    long millis = options.wait(settings.defaultWait()).toMillis();
    CompletableFuture<BroadcastResult> whole = new CompletableFuture<>();
    step(
        whole,
        holding(
                payload,
                () -> members().ownSelect(selector).orTimeout(millis, TimeUnit.MILLISECONDS))
            .exceptionallyCompose(
                error -> CompletableFuture.failedFuture(failureBeforeSending(error))),
        selected -> {
          if (selected.isEmpty()) {
            whole.completeExceptionally(
                new TreecastException(
                    Reason.MEMBERS_MISSING,
                    "no member of the tree fulfils '" + selector + "'; nothing was sent"));
            return;
          }
          try {
            BroadcastOptions resolved =
                options.withReceivers(selected.stream().map(Member::id).toList());
            step(whole, result(send(payload, resolved), resolved), whole::complete);
          } catch (IllegalArgumentException tooMany) {
            whole.completeExceptionally(tooMany);
          }
        });
    return whole;
  }

  /** Returns the failure of a call that waited for the members of the tree before it sent. */
  Throwable failureBeforeSending(Throwable error) {
    Throwable wrapped = error instanceof CompletionException ? error.getCause() : null;
    Throwable cause = wrapped == null ? error : wrapped;
    return cause instanceof TimeoutException
        ? new TreecastException(
            isConnected() ? Reason.NO_TREE : Reason.AGENT_UNREACHABLE,
            this + " had no tree in time; nothing was sent")
        : cause;
  }

  /** Holds a payload as {@link PendingBroadcasts#holding} does. */
  <T> CompletableFuture<T> holding(byte[] payload, Supplier<CompletableFuture<T>> step) {
    return pendingBroadcasts.holding(payload.length, step);
  }

  /**
   * Sends a payload to the subscribers of the default topic at one member, as {@link
   * #broadcast(byte[], BroadcastOptions)} with {@link BroadcastOptions#to(String, String...)}.
   *
   * @param member node id of its agent
   * @param payload the bytes to send; copied
   * @throws IllegalArgumentException if it is not a node id
   */
  public CompletableFuture<BroadcastResult> send(String member, byte[] payload) {
    return broadcast(payload, BroadcastOptions.to(member));
  }

  /**
   * Returns the result of a broadcast after its acceptance and, if members are asked to confirm,
   * after their confirmations.
   */
  private CompletableFuture<BroadcastResult> result(
      CompletableFuture<BroadcastResult> accepted, BroadcastOptions options) {
    return options.isConfirmed() ? confirmed(accepted, options) : accepted;
  }

  private CompletableFuture<BroadcastResult> confirmed(
      CompletableFuture<BroadcastResult> accepted, BroadcastOptions options) {
    Duration wait = Duration.ofMillis(options.confirmMillis());
    CompletableFuture<BroadcastResult> confirmed = new CompletableFuture<>();
    step(
        confirmed,
        accepted,
        result ->
            step(
                confirmed,
                pendingConfirmations.start(result.messageId(), wait),
                confirmation ->
                    complete(
                        confirmed, result.withConfirmation(confirmation), confirmation, options)));
    return confirmed;
  }

  /**
   * Completes the result with the confirmations, or fails it if they are fewer than the minimum.
   */
  private void complete(
      CompletableFuture<BroadcastResult> confirmed,
      BroadcastResult result,
      Confirmation confirmation,
      BroadcastOptions options) {
    int having = confirmation.hops().size();
    if (having >= options.minimumMembers()) {
      confirmed.complete(result);
      return;
    }
    confirmed.completeExceptionally(
        new TreecastException(
            Reason.NOT_CONFIRMED,
            result,
            ("agent %s has accepted the broadcast as %s, and %s of at least %s members have "
                    + "it: do not send it again; bring the other members up, or ask for no "
                    + "more than there are")
                .formatted(
                    settings.agents(), result.messageId(), having, options.minimumMembers())));
  }

  /**
   * Continues when a step is complete. A failed step fails the whole; the end of the whole ends the
   * step.
   */
  private static <T> void step(
      CompletableFuture<?> whole, CompletableFuture<T> step, Consumer<T> next) {
    var unused =
        step.whenComplete(
            (value, error) -> {
              if (error == null) {
                next.accept(value);
              } else {
                whole.completeExceptionally(error);
              }
            });
    var unusedToo = whole.whenComplete((value, error) -> step.cancel(false));
  }

  private CompletableFuture<BroadcastResult> send(byte[] payload, BroadcastOptions options) {
    Objects.requireNonNull(options, "options");
    if (Objects.requireNonNull(payload, "payload").length > settings.maxPayloadBytes()) {
      return CompletableFuture.failedFuture(
          new TreecastException(
              Reason.PAYLOAD_TOO_LARGE,
              ("the payload has %s bytes; the client's limit is %s: upload it, which has no "
                      + "such limit, send less, or raise maxPayloadBytes here and "
                      + "limits.payloadBytes of the agents")
                  .formatted(payload.length, settings.maxPayloadBytes())));
    }
    return counts.counted(
        pendingBroadcasts.start(
            ByteString.copyFrom(payload), options, options.wait(settings.defaultWait())));
  }

  /**
   * Receives all messages broadcast on the default topic from now on, as {@link
   * #subscribe(SubscribeOptions, MessageHandler)} with {@link SubscribeOptions#defaults}.
   */
  public Subscription subscribe(MessageHandler handler) {
    return subscribe(SubscribeOptions.defaults(), handler);
  }

  /**
   * Broadcasts a payload of any size while it is produced: neither this client nor any agent holds
   * more than a window of it. Other broadcasts and uploads do not wait for it, so there is no order
   * between them. Subscribers receive a large payload chunk by chunk. The future completes when the
   * agent has accepted the whole payload and, if members are asked to confirm, like that of {@link
   * #broadcast(byte[], BroadcastOptions)}. The time for confirmations begins when the agent has the
   * whole payload.
   *
   * <p>If the payload fails, the future is cancelled, or the connection is lost before the end, the
   * broadcast is abandoned, and subscribers that have received a part of it are notified.
   *
   * @param payload is requested one buffer at a time, and must not change a buffer before the next
   *     request; called on a thread of this upload's own, one call after the other
   * @param options their wait covers the agent and, in the agent, a tree, together; but not room,
   *     which a slow member may lack for long
   * @return fails like that of a broadcast, or with {@code INCOMPLETE}
   * @throws IllegalArgumentException if the options have headers, or selected members, or a retry
   *     token, which cannot cover an upload that was sent in part
   */
  public CompletableFuture<BroadcastResult> upload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownUpload(payload, options));
  }

  /** Uploads, and returns the client's own future. */
  CompletableFuture<BroadcastResult> ownUpload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    Objects.requireNonNull(payload, "payload");
    checkUpload(options);
    return result(startUpload(payload, options), options);
  }

  private static void checkUpload(BroadcastOptions options) {
    if (Objects.requireNonNull(options, "options").retryToken() != null) {
      throw new IllegalArgumentException("an upload cannot have a retry token");
    }
    if (!options.headers().isEmpty()) {
      throw new IllegalArgumentException("an upload cannot have headers");
    }
    if (options.isForSelected()) {
      throw new IllegalArgumentException(
          "an upload cannot be for selected members; upload on a topic to which they subscribe");
    }
  }

  private CompletableFuture<BroadcastResult> startUpload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return counts.counted(
        pendingUploads.start(payload, options, options.wait(settings.defaultWait())));
  }

  /**
   * Uploads an input stream to its end, as {@link #upload(Flow.Publisher, BroadcastOptions)} does.
   * The stream is read on a thread of its own, and not closed. If the upload ends early, a read
   * under way continues and may take up to 64 KiB from the stream, so close the stream and do not
   * use it further.
   */
  public CompletableFuture<BroadcastResult> upload(InputStream payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownUpload(payload, options));
  }

  /** Uploads an input stream, and returns the client's own future. */
  CompletableFuture<BroadcastResult> ownUpload(InputStream payload, BroadcastOptions options) {
    return ownUpload(new InputStreamPublisher(Objects.requireNonNull(payload, "payload")), options);
  }

  /**
   * Uploads a file, as {@link #upload(Flow.Publisher, BroadcastOptions)} does. The file stays open
   * until the agent has all of it.
   *
   * @throws IOException if the file cannot be opened, or is a directory; nothing was sent
   */
  public CompletableFuture<BroadcastResult> upload(Path file, BroadcastOptions options)
      throws IOException {
    return PublicFuture.ofCall(ownUpload(file, options));
  }

  /** Uploads a file, and returns the client's own future. */
  CompletableFuture<BroadcastResult> ownUpload(Path file, BroadcastOptions options)
      throws IOException {
    checkUpload(options);
    InputStream in = PayloadSource.open(Objects.requireNonNull(file, "file"));
    CompletableFuture<BroadcastResult> accepted =
        startUpload(new InputStreamPublisher(in), options);
    var unused = accepted.whenComplete((result, error) -> close(in));
    return result(accepted, options);
  }

  private static void close(InputStream in) {
    try {
      in.close();
    } catch (IOException e) {
      ReconnectingStream.LOG.log(Level.WARNING, "a file that was uploaded cannot be closed", e);
    }
  }

  /**
   * Receives messages. Returns at once; {@link Subscription#ready} completes when the subscription
   * is in place: when the agent has a tree and, for topics other than the default one, all members
   * of the tree have acknowledged the subscription.
   *
   * <p>The client takes the stream from the agent at the handler's speed, so a slow handler does
   * not fill this client's memory; {@link SubscribeOptions#whenSlow} is the agent's policy
   * meanwhile.
   *
   * <p>If the agent is unreachable for a while, or is restarted, the subscription continues after
   * the last message that the handler has finished: no message arrives twice, and messages that the
   * agent's log no longer has are reported to {@link MessageHandler#onMissed}.
   *
   * @param options topics, start and policy
   * @param handler called for one message at a time, in order for each origin and topic
   * @throws TreecastException {@code CLOSED} if this client is closed
   */
  public Subscription subscribe(SubscribeOptions options, MessageHandler handler) {
    return subscribe(options, handler, handlerExecutor);
  }

  /**
   * Returns the messages of a subscription as a publisher with back pressure, for libraries of
   * reactive streams. Each subscriber has a subscription of its own, which begins when it
   * subscribes. While it requests no messages, the client takes none from the agent, and {@link
   * SubscribeOptions#whenSlow} applies. The publisher completes when this client is closed. Missed
   * messages are logged: see {@link MessageHandler#onMissed}.
   */
  public Flow.Publisher<Message> messages(SubscribeOptions options) {
    return new MessagePublisher(this, options);
  }

  /**
   * Returns a topic whose messages are values of one type.
   *
   * @param name empty for the default topic; otherwise 1 to 200 bytes of UTF-8, without control
   *     characters
   * @param codec converts the values to payloads and back
   * @throws IllegalArgumentException if the name is invalid
   */
  public <T> Topic<T> topic(String name, Codec<T> codec) {
    return new Topic<>(this, name, codec);
  }

  /**
   * Receives the present tree, and then each change. Returns at once.
   *
   * @param handler called for one view at a time; after a reconnect it receives the tree again
   * @throws TreecastException {@code CLOSED} if this client is closed
   */
  public Subscription watchTree(TreeHandler handler) {
    return watchTree(handler, handlerExecutor);
  }

  /** Returns the collective operations: barrier, reduce, gather and scatter. */
  public Collectives collectives() {
    return collectives;
  }

  /** Returns the requests to applications of other members, and their replies. */
  public Requests requests() {
    return requests;
  }

  /** Returns claims: ownership with a lease and a fencing number. */
  public Claims claims() {
    return claims;
  }

  /** Returns the time of the tree's root, with a bound of its error. */
  public ClusterClock clock() {
    return clock;
  }

  /** Returns a map of shared values whose values are bytes; see {@link Values}. */
  public Values<byte[]> values(String name) {
    return values(name, BYTES);
  }

  /**
   * Returns a map of shared values.
   *
   * @param name 1 to 200 bytes of UTF-8 without control characters
   * @throws IllegalArgumentException if the name is not allowed
   */
  public <T> Values<T> values(String name, Codec<T> codec) {
    return new Values<>(valueCalls, name, codec);
  }

  /** Returns a best value with bytes; see {@link BestValue}. */
  public BestValue<byte[]> best(String name, Best best) {
    return best(name, best, BYTES);
  }

  /**
   * Returns a best value.
   *
   * @param name 1 to 200 bytes of UTF-8 without control characters
   * @param best the rule for the better number; the same at all members
   * @throws IllegalArgumentException if the name is invalid
   */
  public <T> BestValue<T> best(String name, Best best, Codec<T> codec) {
    return new BestValue<>(valueCalls, name, best, codec);
  }

  /**
   * Returns the maps of shared values and the best values of the client's agent that the
   * application may read. Fails with {@code AGENT_UNREACHABLE} if no agent answers.
   */
  public CompletableFuture<List<ValuesSize>> listValues() {
    return PublicFuture.of(valueCalls.list());
  }

  CompletableFuture<List<ValuesSize>> ownListValues() {
    return valueCalls.list();
  }

  /**
   * Returns the last value of a subject.
   *
   * @param name 1 to 200 bytes of UTF-8 without control characters
   * @throws IllegalArgumentException if the name is not allowed
   */
  public <T> LastValue<T> lastValue(String name, Codec<T> codec) {
    return new LastValue<>(values(name, codec));
  }

  /** Returns groups of members, with their views, messages and operations. */
  public Groups groups() {
    return groups;
  }

  /** Returns the members of the tree, and their labels. */
  public Members members() {
    return members;
  }

  /** Returns the blocking form of these calls. */
  public BlockingTreecast blocking() {
    return blocking;
  }

  /**
   * Closes the connection. Broadcasts, requests and collective operations without an answer fail
   * with {@code CLOSED}; the agent may have accepted them. Subscriptions end. Claims are released,
   * for which the connection lasts until the agent has answered, or for 5 s; meanwhile, a thread
   * keeps the program from ending. Returns at once: a handler call under way runs to its end, see
   * {@link Subscription#done}. A handler may call this. Further calls have no effect.
   */
  @Override
  public void close() {
    TreecastException why =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent " + settings.agents() + " was closed: create another one");
    List<Subscription> open;
    synchronized (this) {
      if (closed != null) {
        return;
      }
      closed = why;
      open = List.copyOf(subscriptions);
    }
    // Also if the application's executor throws, because a second close() does nothing.
    try {
      closeAll(open);
    } finally {
      pendingBroadcasts.close(why);
      pendingConfirmations.close(why);
      pendingUploads.close(why);
      pendingCollectives.close(why);
      CompletableFuture<?> released = pendingClaims.close(why);
      requests.close(why);
      clock.close(why);
      connection.closeAfter(released);
    }
  }

  /** Closes each subscription, even if one throws; then throws the first exception. */
  private static void closeAll(List<Subscription> subscriptions) {
    RuntimeException first = null;
    for (Subscription subscription : subscriptions) {
      try {
        subscription.close();
      } catch (RuntimeException thrown) {
        first = first == null ? thrown : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  ClientCounts counts() {
    return counts;
  }

  /** Returns whether there is a connection to an agent now. */
  public boolean isConnected() {
    return connection.isConnected();
  }

  /** Names the agent, for logs. */
  @Override
  public String toString() {
    return "client of agent " + settings.agents();
  }

  /** Subscribes; on a thread of its own if there is no executor. */
  ReconnectingStream<?, ?> subscribe(
      SubscribeOptions options, MessageHandler handler, @Nullable Executor executor) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(handler, "handler");
    return open(
        executor,
        (handlerExecutor, onEnd) ->
            new MessageStream(
                connection, settings, counts, options, handler, handlerExecutor, onEnd));
  }

  /** Watches the tree; on a thread of its own if there is no executor. */
  ReconnectingStream<?, ?> watchTree(TreeHandler handler, @Nullable Executor executor) {
    Objects.requireNonNull(handler, "handler");
    return open(
        executor,
        (handlerExecutor, onEnd) ->
            new TreeStream(connection, settings, handler, handlerExecutor, onEnd));
  }

  /** Watches shared values. */
  ReconnectingStream<?, ?> watchValues(WatchValuesRequest request, ValueStream.Handler handler) {
    return open(
        handlerExecutor,
        (executor, onEnd) -> new ValueStream(connection, request, handler, executor, onEnd));
  }

  /**
   * Holds an ephemeral entry, without a handler of the application and without a thread of its own.
   */
  ReconnectingStream<?, ?> holdValue(WriteValueRequest request) {
    return open(
        PublicFuture.completions,
        (executor, onEnd) -> new EphemeralStream(connection, request, executor, onEnd));
  }

  /** Joins a group, or watches it. */
  ReconnectingStream<?, ?> followGroup(FollowGroupRequest request, GroupHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return open(
        handlerExecutor,
        (executor, onEnd) -> new GroupStream(connection, request, handler, executor, onEnd));
  }

  private ReconnectingStream<?, ?> open(@Nullable Executor executor, StreamMaker maker) {
    ReconnectingStream<?, ?> stream;
    synchronized (this) {
      if (closed != null) {
        throw closed.rethrown();
      }
      stream = executor == null ? onOwnThread(maker) : onSharedExecutor(executor, maker);
      subscriptions.add(stream);
    }
    try {
      stream.open();
    } catch (RuntimeException e) {
      stream.close(); // The caller has no reference to it.
      throw e;
    }
    return stream;
  }

  private ReconnectingStream<?, ?> onOwnThread(StreamMaker maker) {
    ExecutorService thread =
        HandlerThread.start(
            "treecast-subscription-" + ++subscriptionsOpened + "-" + settings.agents());
    return maker.make(
        thread,
        stream -> {
          forget(stream);
          thread.shutdown();
        });
  }

  private ReconnectingStream<?, ?> onSharedExecutor(Executor executor, StreamMaker maker) {
    return maker.make(executor, this::forget);
  }

  private synchronized void forget(Subscription stream) {
    subscriptions.remove(stream);
  }

  /** Creates a stream for an executor, and runs an action when it has ended. */
  private interface StreamMaker {
    ReconnectingStream<?, ?> make(Executor executor, Consumer<Subscription> onEnd);
  }
}
