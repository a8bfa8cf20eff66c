package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.connection.TcpSocket;
import io.treecast.agent.transport.upload.FurtherConnections;
import io.treecast.agent.transport.upload.UploadMessages;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a data stream, and a network of connections between them: each keeps its order,
 * and the test decides which one delivers next.
 */
public final class StreamPair {
  /** Batches that a connection takes before it has no room. */
  private static final int ROOM = 2;

  private static final long MOST_BYTES = 100L << 20;

  /** One direction of a connection. */
  private static final class Pipe {
    final int number;
    final ArrayDeque<Runnable> underWay = new ArrayDeque<>();
    StreamEvents<List<DataMessage>> to = IGNORING;
    StreamEvents<List<DataMessage>> from = IGNORING;

    Pipe(int number) {
      this.number = number;
    }

    void deliver() {
      Runnable next = underWay.poll();
      if (next != null) {
        next.run();
        from.writable();
      }
    }
  }

  private static final StreamEvents<List<DataMessage>> IGNORING =
      new StreamEvents<>() {
        @Override
        public void received(
            Connection<List<DataMessage>> connection,
            List<DataMessage> message,
            long arrivedNanos,
            long nowNanos) {}

        @Override
        public void closed(
            Connection<List<DataMessage>> connection, String reason, long nowNanos) {}
      };

  /** An end of a connection, which sends into a pipe. */
  private final class End implements PacedConnection<List<DataMessage>>, TcpSocket {
    private final Pipe pipe;
    private boolean closed;

    End(Pipe pipe) {
      this.pipe = pipe;
    }

    @Override
    public void send(List<DataMessage> batch) {
      if (!closed) {
        pipe.underWay.add(() -> pipe.to.received(this, batch, 0, 0));
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        pipe.underWay.add(() -> pipe.to.closed(this, GrpcStream.CLOSED_BY_OTHER_END, 0));
      }
    }

    @Override
    public @Nullable TcpSocket socket() {
      return measured == null ? null : this;
    }

    @Override
    public @Nullable Measurements measurements() {
      return measured;
    }

    @Override
    public void limit(long bytesPerSecond) {
      limits.put(pipe.number, bytesPerSecond);
    }

    @Override
    public boolean hasRoom() {
      return !closed && pipe.underWay.size() < ROOM;
    }

    @Override
    public void identified(NodeId peer) {}

    @Override
    public String remoteAddress() {
      return "peer:1";
    }
  }

  /** An end of the stream, and what it has told its core. */
  static final class Side implements TransportEvents {
    final List<DataMessage> received = new ArrayList<>();
    final List<String> ends = new ArrayList<>();

    @Override
    public void dataReceived(
        Connection<DataMessage> connection, DataMessage message, long nowNanos) {
      received.add(message);
    }

    @Override
    public void dataClosed(Connection<DataMessage> connection, String reason, long nowNanos) {
      ends.add(reason);
    }

    @Override
    public void dataAccepted(Connection<DataMessage> connection, long nowNanos) {}

    @Override
    public void controlAccepted(Connection<PeerMessage> connection, long nowNanos) {}

    @Override
    public void controlReceived(
        Connection<PeerMessage> connection,
        PeerMessage message,
        long arrivedNanos,
        long nowNanos) {}

    @Override
    public void controlClosed(Connection<PeerMessage> connection, String reason, long nowNanos) {}

    /** Returns the messages received of one order, without the begin of the stream. */
    List<DataMessage> received(boolean ofUploads) {
      return received.stream()
          .filter(message -> !(message instanceof AttachData))
          .filter(message -> UploadMessages.contain(message) == ofUploads)
          .toList();
    }
  }

  public final Side dialing = new Side();
  public final Side accepting = new Side();
  public final DataStream<?> dialer;
  public final DataStream<?> acceptor;
  private final FurtherConnections further = new FurtherConnections();
  private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
  private final List<Pipe> pipes = new ArrayList<>();
  private int connections;
  private @Nullable StreamEvents<List<DataMessage>> lastDialed;
  private boolean refuses;

  /** The measurements of each socket; null without access to sockets. */
  public TcpSocket.@Nullable Measurements measured;

  /** The present limits, by connection. */
  public final Map<Integer, Long> limits = new TreeMap<>();

  public long nowNanos;

  /** A stream over a link of that round trip, attached at both ends. */
  public StreamPair(long roundTripNanos) {
    Pipe there = pipe(0);
    Pipe back = pipe(0);
    dialer =
        new DataStream<>(
            () -> dialing,
            new TestLoop(),
            events -> open(there, back, events),
            MOST_BYTES,
            main -> this::dial,
            null);
    acceptor =
        new DataStream<>(
            () -> accepting,
            new TestLoop(),
            events -> open(back, there, events),
            MOST_BYTES,
            null,
            further);
    dialer.roundTrip(roundTripNanos);
    acceptor.roundTrip(roundTripNanos);
    dialer.send(new AttachData(NodeId.of("d"), 1, 1, 1));
    acceptor.send(new AttachData(NodeId.of("a"), 1, 1, 1));
    deliverAll();
  }

  private Pipe pipe(int number) {
    Pipe pipe = new Pipe(number);
    pipes.add(pipe);
    return pipe;
  }

  private End open(Pipe out, Pipe in, StreamEvents<List<DataMessage>> events) {
    out.from = events;
    in.to = events;
    return new End(out);
  }

  private PacedConnection<List<DataMessage>> dial(StreamEvents<List<DataMessage>> events) {
    connections++;
    lastDialed = events;
    Pipe there = pipe(connections);
    Pipe back = pipe(connections);
    End end = open(there, back, events);
    if (refuses) {
      loop.add(() -> events.closed(end, "refused", 0));
    } else {
      End unused = further.accept(new TestLoop(), accepted -> open(back, there, accepted));
    }
    return end;
  }

  /** Further connections that were dialed. */
  public int connections() {
    return connections;
  }

  public int joinedAtAcceptor() {
    return acceptor.joinedConnections();
  }

  /** From now on nobody accepts a connection. */
  public void refuseConnections() {
    refuses = true;
  }

  /** The connection that was dialed last breaks, as its dialing end sees. */
  public void breakLast() {
    StreamEvents<List<DataMessage>> events = lastDialed;
    if (events != null) {
      events.closed(new End(pipe(-1)), "broken", 0);
    }
  }

  /** Another agent dials and says that it joins this stream. */
  public End dialAs(DataMessage first) {
    Pipe there = pipe(-1);
    Pipe back = pipe(-1);
    End end = open(there, back, IGNORING);
    End unused = further.accept(new TestLoop(), accepted -> open(back, there, accepted));
    end.send(List.of(first));
    return end;
  }

  public void runLoop() {
    for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
      task.run();
    }
  }

  /** Everything arrives, connection by connection. */
  public void deliverAll() {
    deliverAll(new Random(1), number -> true);
  }

  /** Delivers the messages on these connections in any order; connection 0 is the main one. */
  void deliverAll(Random random, Predicate<Integer> which) {
    runLoop();
    List<Pipe> ready = ready(which);
    while (!ready.isEmpty()) {
      ready.get(random.nextInt(ready.size())).deliver();
      if (random.nextBoolean()) {
        runLoop();
      }
      ready = ready(which);
      if (ready.isEmpty()) {
        runLoop();
        ready = ready(which);
      }
    }
  }

  private List<Pipe> ready(Predicate<Integer> which) {
    return pipes.stream()
        .filter(pipe -> which.test(pipe.number) && !pipe.underWay.isEmpty())
        .toList();
  }

  private final class TestLoop implements Loop {
    @Override
    public void execute(Runnable task) {
      loop.add(task);
    }

    @Override
    public long nowNanos() {
      return nowNanos;
    }
  }
}
