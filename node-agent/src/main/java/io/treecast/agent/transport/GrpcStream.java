package io.treecast.agent.transport;

import com.google.protobuf.MessageLite;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.util.concurrent.EventExecutor;
import io.grpc.netty.shaded.io.netty.util.internal.ThreadExecutorMap;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.config.ServiceName;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.transport.connection.Departures;
import io.treecast.agent.transport.connection.DialedChannels;
import io.treecast.agent.transport.connection.LinuxTcpSocket;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.connection.TcpSocket;
import io.treecast.agent.transport.emulation.EmulatedStream;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.agent.transport.frame.Frames;
import io.treecast.agent.transport.frame.StreamCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import io.treecast.tls.NodeCertificate;
import java.net.InetSocketAddress;
import java.util.SortedSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A bidirectional gRPC stream as a {@link Connection}, at either of its ends.
 *
 * <p>gRPC's threads decode messages and hand them over to the agent's loop; the stream requests no
 * more messages from the network than the loop has room for. {@link #send}, {@link #close} and
 * {@link #identified} are called on the loop. On an emulated link the delay line opens, sends and
 * ends, so that one thread at a time uses the call.
 *
 * @param <M> the messages of the core
 * @param <I> incoming gRPC message
 * @param <O> outgoing gRPC message
 */
final class GrpcStream<M, I, O> implements PacedConnection<M>, ClientResponseObserver<O, I> {
  /** The reason of a close in which no message was lost. */
  static final String CLOSED_BY_OTHER_END = "closed by the other end";

  /**
   * A call that waited for its connection may hand over its first messages on another thread than
   * that of the connection, which reads the later ones.
   */
  private static final int FIRST_MESSAGES = 8;

  private final StreamCodec<M, I, O> codec;
  private final StreamEvents<M> events;
  private final StreamSettings settings;
  private final String remoteAddress;
  private final boolean dialed;
  private final boolean isByName;
  private final Runnable releaseChannel;
  private final @Nullable EmulatedStream emulated;

  // Set once, before any event of the stream; null until a dial has started.
  private volatile @Nullable CallStreamObserver<O> out;

  /**
   * The attributes of the call: its TLS session and its addresses. Those of a dialed stream are
   * only there after the first incoming message.
   */
  private volatile Supplier<Attributes> attributes = () -> Attributes.EMPTY;

  /** Whether the call has started: before, gRPC cannot report whether it has room. */
  private volatile boolean started;

  /**
   * The number of messages sent since the call last had room. Counted on the loop, reset by gRPC's
   * threads.
   */
  private final AtomicInteger sentWhileNotReady = new AtomicInteger();

  /**
   * Whether the call has ended, even if an emulated link has not reported it yet. Set by gRPC's
   * threads.
   */
  private volatile boolean callEnded;

  /** The network's thread that reads and writes the connection; null until it has read. */
  private volatile @Nullable EventExecutor networkThread;

  /** The socket of a data stream; null before the first message, and without access to sockets. */
  private volatile @Nullable TcpSocket socket;

  /**
   * The first messages that have arrived, up to {@link #FIRST_MESSAGES}. For gRPC's threads, which
   * call one after another.
   */
  private int firstMessages;

  // For the loop's thread.
  private boolean closed;
  private int unrequested;

  private GrpcStream(
      StreamCodec<M, I, O> codec,
      StreamEvents<M> events,
      StreamSettings settings,
      String remoteAddress,
      boolean dialed,
      Runnable releaseChannel) {
    this.codec = codec;
    this.events = events;
    this.settings = settings;
    this.remoteAddress = remoteAddress;
    this.dialed = dialed;
    this.isByName = dialed && isByName(remoteAddress);
    this.releaseChannel = releaseChannel;
    LinkEmulation emulation = settings.emulation();
    this.emulated =
        emulation == null
            ? null
            : emulation.stream(settings.self(), dialed ? remoteAddress : null, this::reset);
  }

  /** Returns a stream that another agent has opened. */
  static <M, I, O> GrpcStream<M, I, O> accepted(
      StreamCodec<M, I, O> codec,
      StreamEvents<M> events,
      StreamSettings settings,
      RemoteEnd from,
      ServerCallStreamObserver<O> responses) {
    GrpcStream<M, I, O> stream =
        new GrpcStream<>(codec, events, settings, from.address(), false, () -> {});
    stream.attributes = from::attributes;
    stream.beginAccepted(responses);
    return stream;
  }

  /** Opens a stream to the agent at this address, with a call on a channel of its own. */
  static <M, I, O> GrpcStream<M, I, O> dialed(
      StreamCodec<M, I, O> codec,
      StreamEvents<M> events,
      StreamSettings settings,
      String remoteAddress,
      DialedChannels channels,
      MethodDescriptor<O, I> method)
      throws ConfigException {
    ManagedChannel channel = channels.to(remoteAddress);
    GrpcStream<M, I, O> stream =
        new GrpcStream<>(
            codec, events, settings, remoteAddress, true, () -> channels.closeChannel(channel));
    var unusedAsNothingIsHeldYet =
        stream.inOrder(
            lateNanos -> {
              ClientCall<O, I> call =
                  channel.newCall(
                      method, CallOptions.DEFAULT.withOnReadyThreshold(settings.unsentBytes()));
              stream.attributes = call::getAttributes;
              var unused = ClientCalls.asyncBidiStreamingCall(call, stream);
              stream.started = true;
            },
            0);
    return stream;
  }

  private static boolean isByName(String address) {
    try {
      return ServiceName.is(address) || HostPort.parseRemote("address", address).isName();
    } catch (ConfigException e) {
      return false;
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<O> requestStream) {
    requestStream.disableAutoRequestWithInitial(settings.inboundMessages());
    requestStream.setOnReadyHandler(this::ready);
    out = requestStream;
  }

  private void beginAccepted(ServerCallStreamObserver<O> responseStream) {
    responseStream.disableAutoRequest();
    responseStream.setOnReadyThreshold(settings.unsentBytes());
    // With a handler set, sending on a cancelled call does nothing; the end is reported by onError.
    responseStream.setOnCancelHandler(() -> {});
    responseStream.setOnReadyHandler(this::ready);
    out = responseStream;
    started = true;
    responseStream.request(settings.inboundMessages());
  }

  private void ready() {
    sentWhileNotReady.set(0);
    settings.loop().execute(events::writable);
  }

  @Override
  public boolean hasRoom() {
    CallStreamObserver<O> stream = out;
    return !closed && !callEnded && stream != null && started && stream.isReady();
  }

  @Override
  public @Nullable TcpSocket socket() {
    return socket;
  }

  private CallStreamObserver<O> out() {
    CallStreamObserver<O> stream = out;
    if (stream == null) {
      throw new IllegalStateException("the stream has not started");
    }
    return stream;
  }

  /**
   * Returns the sending of a message whose departure matters. It leaves on the connection's own
   * thread, so that its lateness is known exactly.
   */
  private LongConsumer departing(M message, O encoded, Departures departures) {
    Loop loop = settings.loop();
    long sinceEventNanos = departures.sinceEventNanos(loop.nowNanos());
    return linkLateNanos -> {
      long queuedNanos = loop.nowNanos();
      if (!onNetworkThread(
          () -> {
            long waitedNanos = loop.nowNanos() - queuedNanos;
            departures.waited(waitedNanos);
            long lateNanos = sinceEventNanos + linkLateNanos + waitedNanos;
            M leaving = codec.leaving(message, lateNanos);
            out().onNext(leaving == message ? encoded : codec.encode(leaving));
          })) {
        lost("the thread of the connection has ended");
      }
    };
  }

  /**
   * Runs an action on the thread of the connection, behind the earlier ones; at once while that
   * thread is unknown. Returns false if the thread has ended.
   */
  private boolean onNetworkThread(Runnable action) {
    EventExecutor thread = networkThread;
    if (thread == null) {
      action.run();
      return true;
    }
    try {
      thread.execute(() -> unlessOver(action));
      return true;
    } catch (RejectedExecutionException hasEnded) {
      return false;
    }
  }

  /** Runs an action that has no effect if the call, or the network with it, has ended. */
  private static void unlessOver(Runnable action) {
    try {
      action.run();
    } catch (IllegalStateException | RejectedExecutionException streamIsOver) {
      // The stream has ended, and messages under way are lost with it.
    }
  }

  /** Neither gRPC nor Netty has a public way from a call to its thread, nor to its socket. */
  private void findNetworkThread() {
    if (settings.departures() != null) {
      if (networkThread
          == null) { // It never changes: actions on two threads would lose their order.
        networkThread = ThreadExecutorMap.currentExecutor();
      }
    } else if (socket == null) {
      socket = LinuxTcpSocket.ofCurrentThread(attributes.get());
    }
  }

  @Override
  public void onNext(I value) {
    if (firstMessages < FIRST_MESSAGES) {
      firstMessages++;
      findNetworkThread();
    }
    M message;
    try {
      message = codec.decode(value);
    } catch (WireViolation violation) {
      settings.drops().count(StreamDrops.Reason.INVALID_FRAME);
      end("invalid frame: " + violation.getMessage(), Status.INVALID_ARGUMENT);
      return;
    }
    String lie = introduce(message);
    if (lie != null) {
      String connection =
          (dialed ? "refused the connection to " : "refused a connection from ") + remoteAddress;
      settings.loop().execute(() -> settings.identityMismatches().refused(connection, lie));
      end(lie, Status.PERMISSION_DENIED);
      return;
    }
    handOver(
        arrivedNanos -> {
          if (!closed) {
            events.received(this, message, arrivedNanos, settings.loop().nowNanos());
          }
          // Also when closed: the other end's close arrives behind earlier messages.
          requestMore();
        });
  }

  /** Requests a message for each one that was processed. */
  private void requestMore() {
    unrequested++;
    if (unrequested == settings.requestedMessages()) {
      unrequested = 0;
      unlessOver(() -> out().request(settings.requestedMessages()));
    }
  }

  /**
   * Checks the sender that a message names. Messages after the first may name one, too. Returns the
   * reason why the other end cannot be that agent; null if there is none.
   */
  private @Nullable String introduce(M message) {
    NodeId sender = codec.sender(message);
    if (sender == null) {
      return null;
    }
    SSLSession session = attributes.get().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session != null) {
      SortedSet<String> certified = NodeCertificate.nodeIds(session);
      if (!certified.contains(sender.toString())) {
        return "an agent claims to be "
            + sender
            + ", and its certificate is of "
            + (certified.isEmpty() ? "no agent" : String.join(", ", certified));
      }
    }
    if (emulated != null) {
      emulated.identified(sender); // Before the message is delivered.
    }
    return null;
  }

  /** Queues an incoming message on the loop, in order, with the time of its arrival. */
  private void handOver(LongConsumer task) {
    Loop loop = settings.loop();
    Runnable arrived =
        () -> {
          long arrivedNanos = loop.nowNanos();
          loop.execute(() -> task.accept(arrivedNanos));
        };
    if (emulated == null) {
      arrived.run();
    } else {
      emulated.incoming(arrived);
    }
  }

  @Override
  public void onError(Throwable error) {
    lost(BrokenCall.reason(error));
  }

  @Override
  public void onCompleted() {
    lost(CLOSED_BY_OTHER_END);
  }

  /** Handles a close by the other end or the network. */
  private void lost(String reason) {
    callEnded = true;
    if (emulated != null) {
      settings.loop().execute(this::finishIfOver);
    }
    handOver(
        arrivedNanos -> {
          if (!closed) {
            closed = true;
            finishNow(null);
            events.closed(this, reason, settings.loop().nowNanos());
          }
        });
  }

  /** Closes the stream with an error, ahead of messages that an emulated link holds. */
  private void reset(String reason) {
    settings
        .loop()
        .execute(
            () -> {
              if (!closed) {
                closed = true;
                finishNow(Status.ABORTED.withDescription(reason));
                events.closed(this, reason, settings.loop().nowNanos());
              }
            });
  }

  /** Closes the stream because the other end does not read. */
  private void unread() {
    reset(
        "the other end does not read: more than %s bytes and %s messages wait to be sent"
            .formatted(settings.unsentBytes(), settings.maxUnsentMessages()));
  }

  /** Closes the stream with an error, behind the messages sent before. */
  private void end(String reason, Status status) {
    settings
        .loop()
        .execute(
            () -> {
              if (!closed) {
                closed = true;
                finishInOrder(status.withDescription(reason));
                events.closed(this, reason, settings.loop().nowNanos());
              }
            });
  }

  @Override
  public void send(M message) {
    if (closed) {
      return;
    }
    O encoded = codec.encode(message);
    CallStreamObserver<O> stream = out;
    if (stream != null
        && started
        && !stream.isReady()
        && sentWhileNotReady.incrementAndGet() > settings.maxUnsentMessages()) {
      settings.drops().count(StreamDrops.Reason.SEND_QUEUE_FULL);
      unread();
      return;
    }
    Departures departures = settings.departures();
    LongConsumer sending =
        departures == null
            ? lateNanos -> out().onNext(encoded)
            : departing(message, encoded, departures);
    if (!inOrder(sending, emulated == null ? 0 : bytes(encoded))) {
      settings.drops().count(StreamDrops.Reason.SEND_QUEUE_FULL);
      reset("too many messages wait for the cut link to heal");
    }
  }

  @Override
  public void close() {
    close(null);
  }

  @Override
  public void abort() {
    close(Status.CANCELLED.withDescription("no answer in time"));
  }

  private void close(@Nullable Status error) {
    if (!closed) {
      closed = true;
      finishInOrder(error);
      finishIfOver();
    }
  }

  /** Drops the stream of an agent that is gone, with the messages that an emulated link holds. */
  void drop() {
    if (emulated != null) {
      emulated.end();
    }
  }

  /**
   * Finishes a closed stream whose call has ended: no other end has to be notified, so the emulated
   * link need not hold the close.
   */
  private void finishIfOver() {
    if (emulated != null && closed && callEnded) {
      finishNow(null);
    }
  }

  private void finishInOrder(@Nullable Status error) {
    if (emulated != null && emulated.endUnopened()) {
      releaseChannel.run();
    } else {
      if (!inOrder(lateNanos -> finish(error), 0)) {
        finishNow(error);
      }
    }
  }

  private void finishNow(@Nullable Status error) {
    if (emulated == null) {
      finish(error);
    } else {
      emulated.endNow(() -> finish(error));
    }
  }

  private void finish(@Nullable Status error) {
    if (!onNetworkThread(() -> finishHere(error))) {
      finishHere(error);
    }
  }

  private void finishHere(@Nullable Status error) {
    CallStreamObserver<O> stream = out;
    if (stream != null) { // Else the dial was held, so the other end does not know of it.
      unlessOver(
          () -> {
            if (error == null) {
              stream.onCompleted();
            } else {
              stream.onError(error.asException());
            }
          });
    }
    if (emulated != null) {
      emulated.end();
    }
    releaseChannel.run();
  }

  private static int bytes(Object encoded) {
    return encoded instanceof Frames frames
        ? frames.bytes()
        : encoded instanceof MessageLite message ? message.getSerializedSize() : 0;
  }

  /**
   * Runs an action behind the earlier ones. Returns false if an emulated link has no room for it.
   */
  private boolean inOrder(LongConsumer action, int bytes) {
    if (emulated != null) {
      return emulated.outgoing(lateNanos -> unlessOver(() -> action.accept(lateNanos)), bytes);
    }
    unlessOver(() -> action.accept(0));
    return true;
  }

  @Override
  public void identified(NodeId peer) {
    if (emulated != null) {
      emulated.identified(peer);
    }
  }

  /**
   * Returns the dialed address. If that is a name, returns the IP address that has answered,
   * because another stream to the same agent must go there.
   */
  @Override
  public String remoteAddress() {
    return isByName
            && attributes.get().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)
                instanceof InetSocketAddress there
            && !there.isUnresolved()
        ? new HostPort(there.getAddress().getHostAddress(), there.getPort()).toString()
        : remoteAddress;
  }
}
