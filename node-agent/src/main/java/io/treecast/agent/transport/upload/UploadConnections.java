package io.treecast.agent.transport.upload;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.JoinData;
import io.treecast.agent.core.message.DataMessage.Numbered;
import io.treecast.agent.core.message.DataMessage.WantConnections;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.connection.TcpSocket;
import io.treecast.agent.transport.connection.TcpSocket.Measurements;
import io.treecast.agent.transport.frame.BatchSize;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The further connections of a data stream, which carry uploads. So small messages on the
 * {@linkplain Main main} connection never wait for uploads, and several connections fill a long
 * link. A connection with room takes the next part with its number; the other end restores the
 * order. Until a further connection exists, uploads use the main connection; they wait only while a
 * further one is being opened.
 *
 * <p>The end that dialed the data stream dials the further connections, when it uploads or when the
 * other end requests them. They last as long as the data stream. If one breaks, the data stream
 * ends, since messages may be lost.
 *
 * <p>Owned by the agent's loop.
 */
public final class UploadConnections {
  /** The time without further attempts after no connection could be opened. */
  static final long RETRY_NANOS = 60_000_000_000L;

  /** The data stream with its main connection. */
  public interface Main {
    /** Sends a message over the main connection, in order with earlier ones. */
    void sendMain(DataMessage message);

    /** Sends several messages as one batch. */
    void sendMain(List<DataMessage> part);

    /** Handles messages from a further connection. */
    void furtherReceived(List<DataMessage> batch, long nowNanos);

    /**
     * Handles the end of a further connection; unless the other end closed it, messages may be
     * lost.
     */
    void furtherClosed(String reason, long nowNanos);
  }

  /** Dials the other end of the data stream. */
  @FunctionalInterface
  public interface Dialing {
    PacedConnection<List<DataMessage>> dial(StreamEvents<List<DataMessage>> events);
  }

  private enum Stage {
    NONE,
    AWAITED,
    JOINED,
    FAILED
  }

  private final Main main;
  private final Loop loop;
  private final BatchSize batchSize;
  private final @Nullable Dialing dialing;
  private final ConnectionCount count = new ConnectionCount();
  private final UploadPace pace = new UploadPace();
  private final long mostQueuedBytes;
  private final ArrayDeque<DataMessage> queue = new ArrayDeque<>();
  private long queuedBytes;
  private final List<Further> all = new ArrayList<>();
  private final List<Further> joined = new ArrayList<>();
  private Stage stage = Stage.NONE;
  private long retryNanos;
  private boolean wantedByPeer;
  private boolean scheduled;
  private boolean closed;
  private long lastNumber;
  private int turn;
  private @Nullable AttachData self;
  private @Nullable NodeId peer;
  private @Nullable AttachData peerSelf;

  /**
   * Creates an instance without connections.
   *
   * @param batchSize the limit of a batch
   * @param mostQueuedBytes the limit of queued bytes, which only a peer that does not read exceeds
   * @param dialing null if the other end has dialed the data stream
   */
  public UploadConnections(
      Main main, Loop loop, BatchSize batchSize, long mostQueuedBytes, @Nullable Dialing dialing) {
    this.main = main;
    this.loop = loop;
    this.batchSize = batchSize;
    this.mostQueuedBytes = mostQueuedBytes;
    this.dialing = dialing;
  }

  /** Sets the first message of this end, which names the data stream. */
  public void attached(AttachData own) {
    self = own;
  }

  /** Sets the first message of the other end. */
  public void peerAttached(AttachData other) {
    peerSelf = other;
  }

  /** Sets the agent at the other end. */
  public void identified(NodeId node) {
    peer = node;
    all.forEach(further -> further.connection().identified(node));
  }

  public void roundTrip(long nanos) {
    count.roundTrip(nanos);
  }

  /** Sets the number of paths to the other end; each has at least one connection. */
  public void spread(int paths) {
    count.spread(paths);
  }

  /** Returns the number of connections that have joined. */
  public int joined() {
    return joined.size();
  }

  // Sending.

  /** Sends a message {@linkplain UploadMessages of uploads}, in order. */
  public void send(DataMessage message) {
    if (stage == Stage.AWAITED || stage == Stage.JOINED) {
      queue.add(message);
      queuedBytes += UploadMessages.bytes(message);
      if (queuedBytes > mostQueuedBytes) {
        loop.execute(this::unread);
      } else if (!scheduled) {
        scheduled = true;
        loop.execute(this::pump);
      }
      return;
    }
    main.sendMain(message);
    if (UploadMessages.hasContent(message)) {
      requestConnections();
    }
  }

  private void unread() {
    if (!closed) {
      queue.clear();
      main.furtherClosed(
          "the other end does not read: more than "
              + mostQueuedBytes
              + " bytes of uploads wait to be sent",
          loop.nowNanos());
    }
  }

  private DataMessage next() {
    DataMessage message = queue.remove();
    queuedBytes -= UploadMessages.bytes(message);
    return message;
  }

  /** Sends a message behind all uploads, over the main connection. */
  public void sendLast(DataMessage message) {
    flush();
    if (lastNumber == 0) {
      main.sendMain(message);
    } else {
      main.sendMain(List.of(new Numbered(++lastNumber), message));
    }
  }

  /** Sends all queued messages, whether the connections have room or not. */
  private void flush() {
    while (!queue.isEmpty()) {
      if (joined.isEmpty()) {
        main.sendMain(next());
      } else if (lastNumber == 0) {
        main.sendMain(nextPart());
      } else {
        joined.get(nextTurn(joined.size())).connection().send(nextPart());
      }
    }
  }

  private void pump() {
    scheduled = false;
    if (closed || stage == Stage.AWAITED) {
      return;
    }
    if (stage != Stage.JOINED) {
      flush();
      return;
    }
    while (!queue.isEmpty()) {
      if (lastNumber == 0) {
        main.sendMain(nextPart()); // Behind the upload messages sent there before.
        continue;
      }
      Further next = nextWithRoom();
      if (next == null) {
        return;
      }
      next.connection().send(nextPart());
      adaptPace(loop.nowNanos());
    }
    count.idle();
  }

  /** Limits the rate of the connections, which share the queues of the only path. */
  private void adaptPace(long nowNanos) {
    if (!pace.isDue(nowNanos) || count.paths() > 1) {
      return;
    }
    Measurements all = null;
    for (Further further : joined) {
      TcpSocket socket = further.connection().socket();
      Measurements each = socket == null ? null : socket.measurements();
      if (each == null) {
        return;
      }
      all = all == null ? each : all.and(each);
    }
    if (all != null && pace.take(all, nowNanos)) {
      long share = pace.bytesPerSecond() / Math.min(count.count(), joined.size());
      joined.forEach(further -> limit(further, share));
    }
  }

  private static void limit(Further further, long bytesPerSecond) {
    TcpSocket socket = further.connection().socket();
    if (socket != null) {
      socket.limit(bytesPerSecond);
    }
  }

  private @Nullable Further nextWithRoom() {
    int used = Math.min(count.count(), joined.size());
    for (int i = 0; i < used; i++) {
      Further further = joined.get(nextTurn(used));
      if (further.connection().hasRoom()) {
        return further;
      }
    }
    return null;
  }

  /** Returns the number of the next connection of so many. */
  private int nextTurn(int of) {
    int next = turn % of;
    turn = next + 1;
    return next;
  }

  private List<DataMessage> nextPart() {
    List<DataMessage> part = new ArrayList<>();
    part.add(new Numbered(++lastNumber));
    long bytes = 0;
    do {
      DataMessage message = next();
      part.add(message);
      bytes += UploadMessages.bytes(message);
    } while (!queue.isEmpty()
        && part.size() < BatchSize.MOST_MESSAGES
        && bytes + UploadMessages.bytes(queue.element()) <= batchSize.bytes());
    return part;
  }

  /** Notes upload bytes that the other end has consumed. */
  public void carried(long bytes, long nowNanos) {
    if (stage == Stage.JOINED && count.carried(bytes, joined.size(), nowNanos)) {
      open(count.count());
      pump();
    }
  }

  // Opening.

  private void requestConnections() {
    if (self == null || (stage == Stage.FAILED && loop.nowNanos() < retryNanos)) {
      return;
    }
    count.begins();
    stage = Stage.AWAITED;
    open(count.count());
  }

  /** Opens connections up to the wanted number, or requests them from the end that dials. */
  private void open(int wanted) {
    if (dialing == null) {
      if (wanted > joined.size()) {
        main.sendMain(new WantConnections(wanted));
      }
      return;
    }
    while (all.size() < Math.min(wanted, ConnectionCount.MOST) && !closed) {
      dial(dialing);
    }
  }

  private void dial(Dialing dialed) {
    Further further = new Further();
    all.add(further);
    PacedConnection<List<DataMessage>> connection = dialed.dial(further);
    further.connection = connection;
    NodeId node = peer;
    if (node != null) {
      connection.identified(node);
    }
    AttachData own = self;
    if (own != null) {
      connection.send(List.of(new JoinData(own)));
    }
  }

  /**
   * Handles a request for connections, or the report that none could be opened. Returns the
   * violation, or null if there is none.
   */
  public @Nullable String received(WantConnections wanted) {
    if (dialing != null) {
      if (stage == Stage.FAILED && loop.nowNanos() < retryNanos) {
        main.sendMain(new WantConnections(0));
      } else if (self != null && wanted.count() > 0) {
        wantedByPeer = true;
        open(Math.max(wanted.count(), count.count()));
      }
      return null;
    }
    if (wanted.count() > 0) {
      return "connections requested from the end that does not dial";
    }
    if (stage == Stage.AWAITED) {
      failed();
    }
    return null;
  }

  /** Sends queued messages over the main connection, because no further one could be opened. */
  private void failed() {
    stage = Stage.FAILED;
    retryNanos = loop.nowNanos() + RETRY_NANOS;
    flush();
  }

  /**
   * Joins a connection that the other end has dialed; null if it is refused, since there are enough
   * or this stream has ended.
   *
   * @return the receiver of its events
   */
  @Nullable StreamEvents<List<DataMessage>> join(PacedConnection<List<DataMessage>> connection) {
    AttachData own = self;
    if (own == null || closed || joined.size() == ConnectionCount.MOST) {
      return null;
    }
    Further further = new Further();
    further.connection = connection;
    all.add(further);
    connection.send(List.of(new JoinData(own)));
    further.joins();
    return further;
  }

  // The end.

  /** Returns whether all connections that had joined have ended. */
  public boolean haveEnded() {
    return joined.stream().allMatch(further -> further.ended);
  }

  /** Sends all queued messages, and closes all further connections. */
  public void close() {
    if (!closed) {
      flush();
      closed = true;
      all.forEach(further -> further.connection().close());
    }
  }

  private final class Further implements StreamEvents<List<DataMessage>> {
    private @Nullable PacedConnection<List<DataMessage>> connection;
    private boolean hasJoined;
    private boolean ended;

    PacedConnection<List<DataMessage>> connection() {
      PacedConnection<List<DataMessage>> opened = connection;
      if (opened == null) {
        throw new IllegalStateException("the connection was not dialed");
      }
      return opened;
    }

    void joins() {
      hasJoined = true;
      joined.add(this);
      stage = Stage.JOINED;
      pump();
    }

    @Override
    public void received(
        Connection<List<DataMessage>> from,
        List<DataMessage> batch,
        long arrivedNanos,
        long nowNanos) {
      if (closed) {
        return;
      }
      if (hasJoined) {
        main.furtherReceived(batch, nowNanos);
      } else if (batch.get(0) instanceof JoinData answer && answer.stream().equals(peerSelf)) {
        joins();
      } else {
        connection().close();
        closed(from, "the answer is of another agent", nowNanos);
      }
    }

    @Override
    public void writable() {
      if (!closed && hasJoined) {
        pump();
      }
    }

    @Override
    public void closed(Connection<List<DataMessage>> from, String reason, long nowNanos) {
      ended = true;
      if (closed) {
        return;
      }
      if (hasJoined) {
        main.furtherClosed(reason, nowNanos);
        return;
      }
      all.remove(this);
      if (all.isEmpty() && stage != Stage.JOINED) {
        failed();
        if (wantedByPeer) {
          main.sendMain(new WantConnections(0));
        }
      }
    }
  }
}
