package io.treecast.client;

import com.google.protobuf.ByteString;
import io.treecast.client.TreecastException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Treecast agent: broadcasts to all members of the agent's tree, receives what
 * members broadcast, takes part in collective operations, and watches the tree.
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
 * <p><b>Connection.</b> {@link #connect} returns at once; an agent that is not there yet, or goes
 * away, is no error: the client reconnects until it is closed, with growing delays. Broadcasts wait
 * for the agent up to their own limit; subscriptions wait without limit and tell their handler (see
 * {@link ConnectionListener}). The connection is plain text, meant for an agent on the same host,
 * unless the builder is given a certificate: see {@link TreecastBuilder#tls}.
 *
 * <p><b>Threads.</b> Handlers run on a thread of their own for each subscription, or on the
 * executor given to the builder, never on those of the network. The publisher of an upload is
 * called on a thread of its own, too, and may block. What is chained to a returned future runs on a
 * pool that grows as needed, up to 4,096 threads for all clients, or at once if the future is done,
 * and may block; {@link #blocking} does not depend on that pool. All threads are daemons. Instances
 * are safe for use by several threads.
 *
 * <p><b>Errors</b> are {@link TreecastException}s; a {@code join()} wraps them in a {@link
 * java.util.concurrent.CompletionException}, {@link #blocking} throws them as they are.
 */
public final class Treecast implements AutoCloseable {
  private final ClientSettings settings;
  private final AgentConnection connection;
  private final PendingBroadcasts pendingBroadcasts;
  private final PendingUploads pendingUploads;
  private final PendingConfirmations pendingConfirmations;
  private final PendingCollectives pendingCollectives;
  private final Collectives collectives;
  private final BlockingTreecast blocking;
  private final @Nullable Executor handlerExecutor;

  // Guarded by this.
  private final Set<Subscription> subscriptions = new LinkedHashSet<>();
  private long subscriptionsOpened;
  private @Nullable TreecastException closed;

  Treecast(ClientSettings settings) {
    this(
        settings,
        new AgentConnection(settings),
        () -> HandlerThread.start("treecast-upload-" + settings.agent()));
  }

  /**
   * Of a connection and threads that tests control.
   *
   * @param uploadThreads makes one for each upload
   */
  Treecast(
      ClientSettings settings,
      AgentConnection connection,
      Supplier<ExecutorService> uploadThreads) {
    this.settings = settings;
    Executor given = settings.handlerExecutor();
    this.handlerExecutor = given == null ? null : new HandlerExecutor(given, settings.agent());
    this.connection = connection;
    this.pendingUploads = new PendingUploads(connection, uploadThreads);
    this.pendingBroadcasts =
        new PendingBroadcasts(connection, connection.newBackoff(), settings.maxPendingBytes());
    this.pendingConfirmations = new PendingConfirmations(connection);
    this.pendingCollectives = new PendingCollectives(connection, settings);
    this.collectives = new Collectives(settings, pendingCollectives, PublicFuture::ofCall);
    this.blocking =
        new BlockingTreecast(
            this, new Collectives(settings, pendingCollectives, CallFuture::own), settings);
  }

  /**
   * A client with the default settings. Does not block: see the class comment.
   *
   * @param agent {@code HOST:PORT} where the agent listens, an IPv6 address in brackets: {@code
   *     [::1]:7700}; port 7700 if none is given
   * @throws IllegalArgumentException if that is not an address, as where the host has an underscore
   */
  public static Treecast connect(String agent) {
    return builder(agent).connect();
  }

  /**
   * To set limits, delays and threads.
   *
   * @param agent {@code HOST:PORT} where the agent listens; port 7700 if none is given
   * @throws IllegalArgumentException if that is not an address, as where the host has an underscore
   */
  public static TreecastBuilder builder(String agent) {
    return new TreecastBuilder(AgentAddress.parse(agent));
  }

  /**
   * Broadcasts, waiting for agent, tree and room no longer than {@link
   * TreecastBuilder#defaultWait}.
   *
   * @param payload the bytes to send; copied
   * @see #broadcast(byte[], Duration)
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload) {
    return broadcast(payload, settings.defaultWait());
  }

  /**
   * Sends a payload to every subscriber of the default topic, this agent's own included. The future
   * completes when the agent has accepted it.
   *
   * <p>Never sent twice: a broadcast that has not left waits for a connection, but one of which it
   * is unknown whether the agent accepted it fails with {@code OUTCOME_UNKNOWN} and is the
   * application's to repeat, which a {@link RetryToken} makes safe. Subscribers see an origin's
   * broadcasts on one topic in the order in which its agent accepted them. That is the order in
   * which one thread has called, also if it waits for none, as long as the connection lasts; where
   * one that fails must hold up the next, wait for its future.
   *
   * <p>When members or subscribers are slow, the agent has no room at times, and the broadcast
   * waits there for its turn. So who waits for each future before the next broadcast is slowed to
   * the speed of the slowest. Who does not soon has more waiting than the agent lets a client have,
   * and gets {@code BUFFER_FULL} at once.
   *
   * <p>To cancel the future gives up waiting: a broadcast that has not been sent will not be. One
   * that has, the agent may have accepted; it drops one that waits for a tree or for room.
   *
   * @param payload the bytes to send; copied
   * @param wait how long to wait for the agent, and the agent for a tree and for room, together;
   *     its answer may take a few seconds longer
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
   * As {@link #broadcast(byte[], Duration)}, with options: it may be on a topic, members may be
   * asked to confirm, and the broadcast may be made safe to repeat.
   *
   * <p>If members are asked to {@linkplain BroadcastOptions#withConfirm confirm}, the future
   * completes when all have, or are gone from the tree, or the time for it is over. If it is not to
   * be learnt who has, or fewer have than a minimum, it fails with {@code NOT_CONFIRMED}; the
   * broadcast was accepted then. So it was if the future fails with {@code NOT_REPLICATED}: other
   * members were to have it, and fewer had when the wait was over.
   *
   * @param payload the bytes to send; copied
   */
  public CompletableFuture<BroadcastResult> broadcast(byte[] payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownBroadcast(payload, options));
  }

  /** The same, as the client's own future. */
  CompletableFuture<BroadcastResult> ownBroadcast(byte[] payload, BroadcastOptions options) {
    return result(send(payload, options), options);
  }

  /** Of what an agent is to accept, and members perhaps to confirm. */
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

  /** With the members that have it, or with the failure that too few do. */
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
            "agent "
                + settings.agent()
                + " has accepted the broadcast as "
                + result.messageId()
                + ", and "
                + having
                + " of at least "
                + options.minimumMembers()
                + " members have it: do not send it again; bring the other members up, or"
                + " ask for no more than there are"));
  }

  /** Goes on when the step is done. One that fails fails the whole, whose end ends the step. */
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
              "the payload has "
                  + payload.length
                  + " bytes; the client's limit is "
                  + settings.maxPayloadBytes()
                  + ": upload it, which has no such limit, send less, or raise maxPayloadBytes here and"
                  + " limits.payloadBytes of the agents"));
    }
    return pendingBroadcasts.start(
        ByteString.copyFrom(payload), options, options.wait(settings.defaultWait()));
  }

  /**
   * Receives every message that any member broadcasts on the default topic from now on, as {@link
   * #subscribe(SubscribeOptions, MessageHandler)} with {@link SubscribeOptions#defaults}.
   */
  public Subscription subscribe(MessageHandler handler) {
    return subscribe(SubscribeOptions.defaults(), handler);
  }

  /**
   * Broadcasts a payload of any size, as it comes: neither this client nor any agent holds more
   * than a window of it. What is broadcast meanwhile, whole or by another upload, does not wait for
   * it, so there is no order between them. Subscribers get it chunk by chunk if it is large. The
   * future completes when the agent has accepted all, and if members are asked to confirm, as that
   * of {@link #broadcast(byte[], BroadcastOptions)}; their time begins when the agent has all.
   *
   * <p>If the payload fails, the future is cancelled, or the connection is lost before the end, the
   * broadcast is abandoned, and subscribers that have a part of it are told so.
   *
   * @param payload asked for one buffer at a time, which it must not change before it is asked for
   *     the next; called on a thread of this upload's own, one call after the other
   * @param options of which the wait is for the agent, and the agent's for a tree, together; not
   *     for room, which a slow member may lack for long
   * @return fails as that of a broadcast, or with {@code INCOMPLETE}
   * @throws IllegalArgumentException if the options have a retry token: what was uploaded in part
   *     cannot be told from what was not
   */
  public CompletableFuture<BroadcastResult> upload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownUpload(payload, options));
  }

  /** The same, as the client's own future. */
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
  }

  private CompletableFuture<BroadcastResult> startUpload(
      Flow.Publisher<ByteBuffer> payload, BroadcastOptions options) {
    return pendingUploads.start(payload, options, options.wait(settings.defaultWait()));
  }

  /**
   * Broadcasts all that a stream has, as {@link #upload(Flow.Publisher, BroadcastOptions)}. It is
   * read on a thread of its own, and not closed. An upload that ends early does not end a read that
   * is under way: whoever uses the stream further finds up to 64 KiB taken from it, so rather close
   * it.
   */
  public CompletableFuture<BroadcastResult> upload(InputStream payload, BroadcastOptions options) {
    return PublicFuture.ofCall(ownUpload(payload, options));
  }

  /** The same, as the client's own future. */
  CompletableFuture<BroadcastResult> ownUpload(InputStream payload, BroadcastOptions options) {
    return ownUpload(new InputStreamPublisher(Objects.requireNonNull(payload, "payload")), options);
  }

  /**
   * Broadcasts a file, as {@link #upload(Flow.Publisher, BroadcastOptions)}. It is open until the
   * agent has all.
   *
   * @throws IOException if it cannot be opened
   */
  public CompletableFuture<BroadcastResult> upload(Path file, BroadcastOptions options)
      throws IOException {
    return PublicFuture.ofCall(ownUpload(file, options));
  }

  /** The same, as the client's own future. */
  CompletableFuture<BroadcastResult> ownUpload(Path file, BroadcastOptions options)
      throws IOException {
    checkUpload(options);
    InputStream in = Files.newInputStream(Objects.requireNonNull(file, "file"));
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
   * Receives messages. Returns at once; {@link Subscription#ready} tells when the subscription is
   * in place: when the agent has a tree and, with other topics than the default topic, all its
   * members know that they are wanted here.
   *
   * <p>The agent's stream is taken at the handler's speed, so a slow handler does not fill this
   * client's memory; what the agent does meanwhile is up to {@link SubscribeOptions#whenSlow}.
   *
   * <p>When the agent cannot be reached for a while, or is restarted, the subscription goes on
   * after the last message that the handler has finished: none comes twice, and those that the
   * agent's log does not reach back to are named by {@link MessageHandler#onMissed}.
   *
   * @param options which topics, from where on
   * @param handler called one message at a time, in order for each origin and topic
   * @throws TreecastException {@code CLOSED} if this client is closed
   */
  public Subscription subscribe(SubscribeOptions options, MessageHandler handler) {
    return subscribe(options, handler, handlerExecutor);
  }

  /**
   * Receives the tree now, and after each change. Returns at once.
   *
   * @param handler called one view at a time; after a reconnect it gets the tree again
   * @throws TreecastException {@code CLOSED} if this client is closed
   */
  public Subscription watchTree(TreeHandler handler) {
    return watchTree(handler, handlerExecutor);
  }

  /** Barrier, reduce, gather and scatter, which members carry out together. */
  public Collectives collectives() {
    return collectives;
  }

  /** The same calls for programs that wait. */
  public BlockingTreecast blocking() {
    return blocking;
  }

  /**
   * Closes the connection. What is under way ends: broadcasts without an answer fail with {@code
   * CLOSED}, and the agent may have accepted them or not; so do collective operations;
   * subscriptions end. Returns at once: a handler call under way goes on to its end, see {@link
   * Subscription#done}. May be called from a handler. Further calls do nothing.
   */
  @Override
  public void close() {
    TreecastException why =
        new TreecastException(
            Reason.CLOSED,
            "the client of agent " + settings.agent() + " was closed: make another one");
    List<Subscription> open;
    synchronized (this) {
      if (closed != null) {
        return;
      }
      closed = why;
      open = List.copyOf(subscriptions);
    }
    // Also when the application's executor throws: there is no second time.
    try {
      closeAll(open);
    } finally {
      pendingBroadcasts.close(why);
      pendingConfirmations.close(why);
      pendingUploads.close(why);
      pendingCollectives.close(why);
      connection.close();
    }
  }

  /** Closes each, also when one throws; what the first one threw is thrown then. */
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

  /** Names the agent, for logs. */
  @Override
  public String toString() {
    return "client of agent " + settings.agent();
  }

  /** With a thread of its own where no executor is given. */
  ReconnectingStream<?, ?> subscribe(
      SubscribeOptions options, MessageHandler handler, @Nullable Executor executor) {
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(handler, "handler");
    return open(
        executor,
        (handlerExecutor, onEnd) ->
            new MessageStream(connection, settings, options, handler, handlerExecutor, onEnd));
  }

  /** With a thread of its own where no executor is given. */
  ReconnectingStream<?, ?> watchTree(TreeHandler handler, @Nullable Executor executor) {
    Objects.requireNonNull(handler, "handler");
    return open(
        executor,
        (handlerExecutor, onEnd) ->
            new TreeStream(connection, settings, handler, handlerExecutor, onEnd));
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
      stream.close(); // Nobody else could.
      throw e;
    }
    return stream;
  }

  private ReconnectingStream<?, ?> onOwnThread(StreamMaker maker) {
    ExecutorService thread =
        HandlerThread.start(
            "treecast-subscription-" + ++subscriptionsOpened + "-" + settings.agent());
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

  /** Makes a stream for an executor and what is to happen when it has ended. */
  private interface StreamMaker {
    ReconnectingStream<?, ?> make(Executor executor, Consumer<Subscription> onEnd);
  }
}
