package io.treecast.agent.transport;

import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.treecast.agent.config.ConfigException;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.transport.connection.Departures;
import io.treecast.agent.transport.connection.DialedChannels;
import io.treecast.agent.transport.connection.IdentityMismatches;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.connection.UndialableConnection;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.agent.transport.frame.Frames;
import io.treecast.agent.transport.frame.PeerMethods;
import io.treecast.agent.transport.frame.StreamCodec;
import io.treecast.agent.transport.upload.FurtherConnections;
import io.treecast.agent.transport.upload.NextPath;
import io.treecast.agent.wire.PeerCodec;
import io.treecast.agent.wire.value.RecentStreams;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import io.treecast.proto.v1.ControlRequest;
import io.treecast.proto.v1.ControlResponse;
import io.treecast.proto.v1.PeerServiceGrpc;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An agent's connections over gRPC: dials other agents, and serves the {@code PeerService} that
 * they dial. Each stream has an HTTP/2 connection of its own, so that data never delays control.
 */
public final class GrpcTransport extends PeerServiceGrpc.PeerServiceImplBase implements Transport {
  /** Bytes that may be buffered on a control stream before messages are counted; gRPC's default. */
  static final int UNSENT_CONTROL_BYTES = 32 << 10;

  private static final int MAX_UNSENT_CONTROL_MESSAGES = 10_000;

  /**
   * The minimum of bytes that may be buffered on a data stream, whatever the agent's memory: more
   * than two windows of a neighbour with a gigabyte, or a bulk probe.
   */
  static final int MIN_UNSENT_DATA_BYTES = 64 << 20;

  /**
   * The limit of messages beyond these bytes. Credit bounds content, but neither other messages nor
   * the credit for a neighbour that reads nothing. A few messages are sent before the connection
   * exists.
   */
  private static final int MAX_UNSENT_DATA_MESSAGES = 64;

  /**
   * The buffered bytes on a further connection of a data stream beyond which other connections are
   * preferred: about the amount that the network takes while the loop does something else.
   */
  private static final int UNSENT_UPLOAD_BYTES = 256 << 10;

  /**
   * Exceeds the chunks in a neighbour's credit: a connection that closes sends all waiting
   * messages.
   */
  private static final int MAX_UNSENT_UPLOAD_MESSAGES = 1 << 20;

  private static final int INBOUND_MESSAGES = 32;

  /**
   * Smaller than for a single connection: several connections share the loop with messages, which
   * must not wait long.
   */
  private static final int INBOUND_UPLOAD_MESSAGES = 8;

  private final Loop loop;
  private final Departures departures = new Departures();
  private final StreamSettings controlSettings;
  private final StreamSettings dataSettings;
  private final StreamSettings uploadSettings;
  private final FurtherConnections furtherConnections = new FurtherConnections();
  private final Supplier<? extends TransportEvents> core;
  private final DialedChannels channels;
  private final StreamEvents<PeerMessage> controlEvents;
  private volatile boolean aborted;

  /**
   * Creates the transport of one agent.
   *
   * @param self the agent
   * @param loop drives its core
   * @param core supplies the receiver of all streams' events, on the loop; called at each event,
   *     since the core may be created after the transport
   * @param emulation stands between the transport and the network; null without emulation
   * @param drops counts dropped streams and frames
   * @param notices receives reports of impostors, on the loop
   * @param memoryBytes the agent's memory for data, which is also the limit of the buffer of a data
   *     stream
   * @param channels the connections that it dials
   */
  public GrpcTransport(
      NodeId self,
      Loop loop,
      Supplier<? extends TransportEvents> core,
      @Nullable LinkEmulation emulation,
      StreamDrops drops,
      Consumer<Notice> notices,
      long memoryBytes,
      DialedChannels channels) {
    this.loop = loop;
    this.channels = channels;
    this.controlSettings =
        new StreamSettings(
            self,
            loop,
            emulation,
            drops,
            new IdentityMismatches(notices),
            departures,
            UNSENT_CONTROL_BYTES,
            MAX_UNSENT_CONTROL_MESSAGES,
            INBOUND_MESSAGES);
    this.dataSettings =
        controlSettings
            .withoutDepartures()
            .withUnsent(unsentDataBytes(memoryBytes), MAX_UNSENT_DATA_MESSAGES);
    this.uploadSettings =
        dataSettings
            .withUnsent(UNSENT_UPLOAD_BYTES, MAX_UNSENT_UPLOAD_MESSAGES)
            .withInbound(INBOUND_UPLOAD_MESSAGES);
    this.core = core;
    this.controlEvents =
        new StreamEvents<>() {
          @Override
          public void received(
              Connection<PeerMessage> connection,
              PeerMessage message,
              long arrivedNanos,
              long nowNanos) {
            TransportEvents events = core.get();
            long lateNanos = departures.takeLongestWaitNanos();
            if (lateNanos > 0) {
              events.late(lateNanos, nowNanos);
            }
            events.controlReceived(connection, message, arrivedNanos, nowNanos);
          }

          @Override
          public void closed(Connection<PeerMessage> connection, String reason, long nowNanos) {
            core.get().controlClosed(connection, reason, nowNanos);
          }
        };
  }

  /**
   * Returns the size of a data stream's buffer. An agent has no more content than its memory, so
   * the buffer overflows only if the other end does not read.
   */
  static int unsentDataBytes(long memoryBytes) {
    return (int) Math.max(MIN_UNSENT_DATA_BYTES, Math.min(Integer.MAX_VALUE, memoryBytes));
  }

  @Override
  public void eventBegins(long nowNanos) {
    departures.eventBegins(nowNanos);
  }

  @Override
  public Connection<PeerMessage> dialControl(String address) {
    try {
      return GrpcStream.dialed(
          new ControlAtDialer(new PeerCodec()),
          controlEvents,
          controlSettings,
          address,
          channels,
          PeerMethods.CONTROL);
    } catch (ConfigException | IllegalArgumentException e) {
      return undialable(address, e, controlEvents);
    }
  }

  @Override
  public Connection<DataMessage> dialData(String address) {
    return dialData(address, List::of);
  }

  @Override
  public Connection<DataMessage> dialData(String address, Supplier<List<String>> paths) {
    return new DataStream<>(
        core,
        loop,
        events -> {
          try {
            return GrpcStream.dialed(
                new DataAtOneEnd(new RecentStreams()),
                events,
                dataSettings,
                address,
                channels,
                PeerMethods.DATA);
          } catch (ConfigException | IllegalArgumentException e) {
            return undialable(address, e, events);
          }
        },
        dataSettings.unsentBytes(),
        main -> new NextPath(main.remoteAddress(), paths, this::dialFurther),
        null);
  }

  /** Dials a further connection, to an address of the data stream. */
  private PacedConnection<List<DataMessage>> dialFurther(
      String address, StreamEvents<List<DataMessage>> events) {
    try {
      return GrpcStream.dialed(
          new DataAtOneEnd(new RecentStreams()),
          events,
          uploadSettings,
          address,
          channels,
          PeerMethods.UPLOADS);
    } catch (ConfigException e) {
      throw new IllegalStateException("was dialed before: " + address, e);
    }
  }

  /**
   * Waits until all dialed connections that the core has closed have delivered their messages,
   * which takes a while on a slow link. Not on the loop.
   */
  public void awaitGoodbyes(long limitNanos) throws InterruptedException {
    channels.awaitAllEnded(limitNanos);
  }

  /**
   * Closes every dialed connection, at once and without goodbye, and drops messages that an
   * emulated link holds. Accepted connections end with the server; one accepted meanwhile has no
   * core. Idempotent; for any thread.
   */
  public void abort() {
    aborted = true;
    LinkEmulation emulation = controlSettings.emulation();
    if (emulation != null) {
      emulation.agentGone(controlSettings.self());
    }
    channels.abort();
  }

  /**
   * Returns a connection that fails: invalid addresses can come from other agents, which announce
   * them.
   */
  private <M> Connection<M> undialable(String address, Exception why, StreamEvents<M> events) {
    Connection<M> connection = new UndialableConnection<>(address);
    loop.execute(
        () -> events.closed(connection, String.valueOf(why.getMessage()), loop.nowNanos()));
    return connection;
  }

  /** Returns the services of the agent's server that belong to this transport. */
  public ServerServiceDefinition service() {
    return ServerInterceptors.intercept(
        PeerMethods.tolerant(bindService(), this::acceptData, this::acceptUploads),
        new RemoteEnd.Interceptor());
  }

  @Override
  public StreamObserver<ControlRequest> control(StreamObserver<ControlResponse> responses) {
    GrpcStream<PeerMessage, ControlRequest, ControlResponse> stream =
        GrpcStream.accepted(
            new ControlAtAcceptor(new PeerCodec()),
            controlEvents,
            controlSettings,
            RemoteEnd.ofCurrentCall(),
            (ServerCallStreamObserver<ControlResponse>) responses);
    dropIfAborted(stream);
    loop.execute(() -> core.get().controlAccepted(stream, loop.nowNanos()));
    return stream;
  }

  private StreamObserver<Frames> acceptData(StreamObserver<Frames> responses) {
    DataStream<GrpcStream<List<DataMessage>, Frames, Frames>> data =
        new DataStream<>(
            core,
            loop,
            events ->
                GrpcStream.accepted(
                    new DataAtOneEnd(new RecentStreams()),
                    events,
                    dataSettings,
                    RemoteEnd.ofCurrentCall(),
                    (ServerCallStreamObserver<Frames>) responses),
            dataSettings.unsentBytes(),
            null,
            furtherConnections);
    dropIfAborted(data.stream());
    loop.execute(() -> core.get().dataAccepted(data, loop.nowNanos()));
    return data.stream();
  }

  private StreamObserver<Frames> acceptUploads(StreamObserver<Frames> responses) {
    GrpcStream<List<DataMessage>, Frames, Frames> stream =
        furtherConnections.accept(
            loop,
            events ->
                GrpcStream.accepted(
                    new DataAtOneEnd(new RecentStreams()),
                    events,
                    uploadSettings,
                    RemoteEnd.ofCurrentCall(),
                    (ServerCallStreamObserver<Frames>) responses));
    dropIfAborted(stream);
    return stream;
  }

  /**
   * Runs after the registration of the stream: either this sees the abort, or the abort sees the
   * stream.
   */
  private void dropIfAborted(GrpcStream<?, ?, ?> stream) {
    if (aborted) {
      stream.drop();
    }
  }

  private record ControlAtDialer(PeerCodec codec)
      implements StreamCodec<PeerMessage, ControlResponse, ControlRequest> {
    @Override
    public ControlRequest encode(PeerMessage message) {
      return ControlRequest.newBuilder().setFrame(codec.encode(message)).build();
    }

    @Override
    public PeerMessage leaving(PeerMessage message, long lateNanos) {
      return message.leaving(lateNanos);
    }

    @Override
    public PeerMessage decode(ControlResponse message) throws WireViolation {
      return codec.decode(message.getFrame());
    }

    @Override
    public @Nullable NodeId sender(PeerMessage message) {
      return senderOf(message);
    }
  }

  private record ControlAtAcceptor(PeerCodec codec)
      implements StreamCodec<PeerMessage, ControlRequest, ControlResponse> {
    @Override
    public ControlResponse encode(PeerMessage message) {
      return ControlResponse.newBuilder().setFrame(codec.encode(message)).build();
    }

    @Override
    public PeerMessage leaving(PeerMessage message, long lateNanos) {
      return message.leaving(lateNanos);
    }

    @Override
    public PeerMessage decode(ControlRequest message) throws WireViolation {
      return codec.decode(message.getFrame());
    }

    @Override
    public @Nullable NodeId sender(PeerMessage message) {
      return senderOf(message);
    }
  }

  private record DataAtOneEnd(RecentStreams streams)
      implements StreamCodec<List<DataMessage>, Frames, Frames> {
    @Override
    public Frames encode(List<DataMessage> batch) {
      return Frames.of(batch);
    }

    @Override
    public List<DataMessage> decode(Frames frames) throws WireViolation {
      return frames.messages(streams);
    }

    @Override
    public @Nullable NodeId sender(List<DataMessage> batch) {
      return senderOf(batch);
    }
  }

  private static @Nullable NodeId senderOf(PeerMessage message) {
    if (message instanceof PeerMessage.JoinPath join) {
      return join.node();
    }
    return message instanceof PeerMessage.Hello hello ? hello.node() : null;
  }

  private static @Nullable NodeId senderOf(List<DataMessage> batch) {
    if (batch.get(0) instanceof DataMessage.AttachBulk attachBulk) {
      return attachBulk.node();
    }
    if (batch.get(0) instanceof DataMessage.JoinData join) {
      return join.stream().node();
    }
    return batch.get(0) instanceof DataMessage.AttachData attachData ? attachData.node() : null;
  }
}
