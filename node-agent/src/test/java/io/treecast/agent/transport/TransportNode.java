package io.treecast.agent.transport;

import io.grpc.InsecureChannelCredentials;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.treecast.agent.config.HostPort;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.agent.transport.connection.DialedChannels;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.ghs.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A transport on a free port of this machine, with a core that only writes down what happens. */
public final class TransportNode implements AutoCloseable, TransportEvents, Loop {
  private final NodeId id;
  private final @Nullable LinkEmulation emulation;
  private final ExecutorService loop = Executors.newSingleThreadExecutor();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final List<Connection<PeerMessage>> control = new CopyOnWriteArrayList<>();
  private final List<Connection<DataMessage>> data = new CopyOnWriteArrayList<>();
  private final GrpcTransport transport;
  private final Server server;
  public final StreamDrops drops = new StreamDrops();

  public TransportNode(String name, @Nullable LinkEmulation emulation) throws IOException {
    this.id = NodeId.of(name);
    this.emulation = emulation;
    this.transport =
        new GrpcTransport(
            id,
            this,
            () -> this,
            emulation,
            drops,
            notice -> events.add(notice.text()),
            0,
            new DialedChannels(
                InsecureChannelCredentials.create(),
                List.of(),
                LinkLimits.DEFAULT.handshakeTimeoutNanos(),
                false));
    this.server =
        NettyServerBuilder.forAddress(new HostPort("127.0.0.1", 0).toSocketAddress())
            .directExecutor()
            .addService(transport.service())
            .build()
            .start();
  }

  /** As an agent does at its start. */
  public TransportNode known() {
    Objects.requireNonNull(emulation).located(id, address());
    return this;
  }

  public NodeId id() {
    return id;
  }

  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** Returns the arrivals and ends, in order. */
  public List<String> events() {
    return events;
  }

  /** Dials and introduces itself. */
  public Connection<PeerMessage> dialControl(TransportNode other) {
    return dialControl(other.address());
  }

  public Connection<PeerMessage> dialControl(String otherAddress) {
    Connection<PeerMessage> connection = transport.dialControl(otherAddress);
    control.add(connection);
    execute(() -> connection.send(new Hello(id, 1, address())));
    return connection;
  }

  public Connection<DataMessage> dialData(TransportNode other) {
    Connection<DataMessage> connection = transport.dialData(other.address());
    execute(
        () -> {
          connection.identified(other.id);
          connection.send(new AttachData(id, 1, 1, 1));
        });
    return connection;
  }

  /** Dials whoever is there, and says nothing. */
  public Connection<DataMessage> dialData(String otherAddress) {
    return transport.dialData(otherAddress);
  }

  /** The control connection that was dialed or accepted first. */
  public Connection<PeerMessage> control() {
    return control.get(0);
  }

  /** The data connection that was accepted first. */
  Connection<DataMessage> data() {
    return data.get(0);
  }

  /** The first connection leads to that node; when this returns, its loop knows. */
  public void identified(TransportNode other) throws Exception {
    loop.submit(() -> control().identified(other.id)).get();
  }

  public void sendProbes(int first, int last) {
    for (int number = first; number <= last; number++) {
      Probe probe = new Probe(number, 500, 0, false, null);
      execute(() -> control().send(probe));
    }
  }

  /** In one turn of the loop, so that they travel together. */
  public void sendCredits(Connection<DataMessage> connection, int first, int last) {
    execute(
        () -> {
          for (int bytes = first; bytes <= last; bytes++) {
            connection.send(new Edge(new Credit(Channel.MESSAGES, bytes, 0)));
          }
        });
  }

  /** Ends after its goodbyes. */
  public void leave(Duration limit) throws InterruptedException {
    transport.awaitGoodbyes(limit.toNanos());
    crash();
  }

  /** Its connections end, while its server and its loop go on for a moment. */
  public void abort() {
    transport.abort();
  }

  /** Ends without a goodbye. */
  public void crash() {
    loop.shutdown();
    abort();
    server.shutdownNow();
  }

  @Override
  public void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException stopped) {
      // As a loop that has stopped does.
    }
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {
    events.add("accepted");
    control.add(connection);
  }

  @Override
  public void controlReceived(
      Connection<PeerMessage> connection, PeerMessage message, long arrivedNanos, long nowNanos) {
    if (message instanceof Hello hello) {
      events.add("hello " + hello.node());
      connection.identified(hello.node());
    } else if (message instanceof Probe probe) {
      events.add("probe " + probe.number());
    }
  }

  @Override
  public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {
    events.add("closed: " + reason);
  }

  @Override
  public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {
    data.add(connection);
    events.add("data accepted");
  }

  @Override
  public void dataReceived(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    if (message instanceof AttachData attach) {
      events.add("attach " + attach.node());
      connection.identified(attach.node());
    } else if (message instanceof Edge edge && edge.message() instanceof Credit credit) {
      events.add("credit " + credit.bytes());
    }
  }

  @Override
  public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
    events.add("data closed: " + reason);
  }

  @Override
  public void close() {
    crash();
  }
}
