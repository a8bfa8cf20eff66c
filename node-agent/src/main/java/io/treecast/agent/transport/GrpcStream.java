package io.treecast.agent.transport;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.treecast.agent.core.Connection;
import io.treecast.agent.wire.WireViolation;
import io.treecast.ghs.NodeId;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One bidirectional gRPC stream as a {@link Connection}, at either of its ends.
 *
 * <p>gRPC's threads decode and hand over to the agent's loop; no more messages are taken from the
 * network than the loop has room for. {@link #send}, {@link #close} and {@link #identified} are
 * called on the loop; with emulated latency the delay line does the sending, and the ending, so
 * that one thread at a time uses the call.
 *
 * @param <M> what it carries
 * @param <I> incoming gRPC message
 * @param <O> outgoing gRPC message
 */
final class GrpcStream<M, I, O> implements Connection<M>, ClientResponseObserver<O, I> {
  /** Messages taken from the network that the loop has not dealt with. */
  private static final int INBOUND_MESSAGES = 32;

  private final StreamCodec<M, I, O> codec;
  private final StreamEvents<M> events;
  private final StreamSettings settings;
  private final String remoteAddress;
  private final @Nullable ManagedChannel channel;

  // Set once, before any event of the stream.
  private @Nullable CallStreamObserver<O> out;

  /** Counted on the loop, reset by gRPC's threads. */
  private final AtomicInteger sentWhileNotReady = new AtomicInteger();

  // Of the loop.
  private boolean closed;
  private long delayNanos;
  private long lastDueNanos = Long.MIN_VALUE;

  GrpcStream(
      StreamCodec<M, I, O> codec,
      StreamEvents<M> events,
      StreamSettings settings,
      String remoteAddress,
      @Nullable ManagedChannel channel) {
    this.codec = codec;
    this.events = events;
    this.settings = settings;
    this.remoteAddress = remoteAddress;
    this.channel = channel;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<O> requestStream) {
    requestStream.disableAutoRequestWithInitial(INBOUND_MESSAGES);
    requestStream.setOnReadyHandler(() -> sentWhileNotReady.set(0));
    out = requestStream;
  }

  /** At the accepting end. */
  void beginAccepted(ServerCallStreamObserver<O> responseStream) {
    responseStream.disableAutoRequest();
    // With a handler set, sending on a cancelled call does nothing; the end is reported by onError.
    responseStream.setOnCancelHandler(() -> {});
    responseStream.setOnReadyHandler(() -> sentWhileNotReady.set(0));
    out = responseStream;
    responseStream.request(INBOUND_MESSAGES);
  }

  private CallStreamObserver<O> out() {
    CallStreamObserver<O> stream = out;
    if (stream == null) {
      throw new IllegalStateException("the stream has not begun");
    }
    return stream;
  }

  @Override
  public void onNext(I value) {
    M message;
    try {
      message = codec.decode(value);
    } catch (WireViolation violation) {
      settings.drops().count(StreamDrops.Reason.INVALID_FRAME);
      end("invalid frame: " + violation.getMessage(), Status.INVALID_ARGUMENT);
      return;
    }
    settings
        .loop()
        .execute(
            () -> {
              if (!closed) {
                events.received(this, message, settings.loop().nowNanos());
                out().request(1);
              }
            });
  }

  @Override
  public void onError(Throwable error) {
    Status status = Status.fromThrowable(error);
    String description = status.getDescription();
    Throwable cause = status.getCause();
    String reason = description != null ? description : status.getCode().toString();
    lost(
        cause != null && cause.getMessage() != null
            ? reason + " (" + cause.getMessage() + ")"
            : reason);
  }

  @Override
  public void onCompleted() {
    lost("closed by the other end");
  }

  /** The other end is done with the stream, or the network is. */
  private void lost(String reason) {
    settings
        .loop()
        .execute(
            () -> {
              if (!closed) {
                closed = true;
                inOrder(() -> finish(null));
                events.closed(this, reason, settings.loop().nowNanos());
              }
            });
  }

  /** This end must give the stream up. */
  private void end(String reason, Status status) {
    settings
        .loop()
        .execute(
            () -> {
              if (!closed) {
                closed = true;
                inOrder(() -> finish(status.withDescription(reason)));
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
    if (!out().isReady() && sentWhileNotReady.incrementAndGet() > settings.maxUnsentMessages()) {
      settings.drops().count(StreamDrops.Reason.SEND_QUEUE_FULL);
      end(
          "more than " + settings.maxUnsentMessages() + " messages wait to be sent",
          Status.ABORTED);
      return;
    }
    inOrder(() -> out().onNext(encoded));
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      inOrder(() -> finish(null));
    }
  }

  private void finish(@Nullable Status error) {
    try {
      if (error == null) {
        out().onCompleted();
      } else {
        out().onError(error.asException());
      }
    } catch (IllegalStateException alreadyOver) {
      // The other end was first; there is nobody left to tell.
    }
    if (channel != null) {
      channel.shutdown();
    }
  }

  private void inOrder(Runnable action) {
    Runnable unlessOver =
        () -> {
          try {
            action.run();
          } catch (IllegalStateException streamIsOver) {
            // What was on its way when the stream ended is lost with it.
          }
        };
    LinkEmulation emulation = settings.emulation();
    if (emulation == null || delayNanos == 0) {
      unlessOver.run();
      return;
    }
    long due = Math.max(System.nanoTime() + delayNanos, lastDueNanos);
    lastDueNanos = due;
    emulation.delayLine().at(due, unlessOver);
  }

  @Override
  public void identified(NodeId peer) {
    LinkEmulation emulation = settings.emulation();
    if (emulation != null) {
      delayNanos = emulation.delayNanos(settings.self(), peer);
    }
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }
}
