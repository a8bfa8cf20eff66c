package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.TransportEvents;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.core.message.DataMessage.Numbered;
import io.treecast.agent.core.message.DataMessage.WantConnections;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.StreamEvents;
import io.treecast.agent.transport.frame.BatchSize;
import io.treecast.agent.transport.upload.FurtherConnections;
import io.treecast.agent.transport.upload.PartsInOrder;
import io.treecast.agent.transport.upload.UploadConnections;
import io.treecast.agent.transport.upload.UploadMessages;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A data stream. Content and credit share batches up to {@link BatchSize}, since each gRPC message
 * costs time in gRPC and in the other end's loop. A batch is sent after the tasks that were already
 * in the loop when its first message was added. On the agent's loop.
 *
 * <p>Messages of uploads are sent over {@linkplain UploadConnections further connections} and in an
 * order of their own, so that other messages do not wait for them. The core sees a single
 * connection, which ends as a whole.
 *
 * @param <S> the main connection
 */
final class DataStream<S extends Connection<List<DataMessage>>>
    implements Connection<DataMessage>, StreamEvents<List<DataMessage>>, UploadConnections.Main {
  private final Supplier<? extends TransportEvents> core;
  private final Loop loop;
  private final S stream;
  private final BatchSize batchSize = new BatchSize();
  private final UploadConnections uploads;
  private final PartsInOrder parts;
  private final @Nullable FurtherConnections joinable;
  private List<DataMessage> batch = new ArrayList<>();
  private long batchBytes;
  private boolean closed;
  private boolean ended;
  private @Nullable AttachData peerSelf;

  /**
   * Creates a stream over a stream of batches.
   *
   * @param opening opens the main connection with this receiver of its events
   * @param mostWaitingBytes the limit of upload bytes that wait to be sent, and of those received
   *     out of order
   * @param dialing dials further connections; null if the other end has dialed the stream
   * @param joinable registers the stream for further connections of the other end; null if this end
   *     has dialed the stream
   */
  DataStream(
      Supplier<? extends TransportEvents> core,
      Loop loop,
      Function<StreamEvents<List<DataMessage>>, S> opening,
      long mostWaitingBytes,
      @Nullable Function<S, UploadConnections.Dialing> dialing,
      @Nullable FurtherConnections joinable) {
    this.core = core;
    this.loop = loop;
    this.stream = opening.apply(this);
    this.parts = new PartsInOrder(mostWaitingBytes);
    this.joinable = joinable;
    this.uploads =
        new UploadConnections(
            this,
            loop,
            batchSize,
            mostWaitingBytes,
            dialing == null ? null : dialing.apply(stream));
  }

  S stream() {
    return stream;
  }

  /** Returns the number of further connections that have joined. */
  int joinedConnections() {
    return uploads.joined();
  }

  // Sending.

  @Override
  public void send(DataMessage message) {
    if (closed) {
      return;
    }
    if (message instanceof AttachData attach) {
      uploads.attached(attach);
    }
    if (UploadMessages.contain(message)) {
      uploads.send(message);
    } else if (message instanceof Leave) {
      uploads.sendLast(message);
    } else {
      sendMain(message);
    }
  }

  @Override
  public void sendMain(DataMessage message) {
    long bytes = UploadMessages.bytes(message);
    if (batchBytes + bytes > batchSize.bytes()) {
      sendBatch();
    }
    batch.add(message);
    batchBytes += bytes;
    if (batchBytes >= batchSize.bytes()) {
      sendBatch();
    } else if (batch.size() == 1) {
      loop.execute(this::sendBatch);
    }
  }

  @Override
  public void sendMain(List<DataMessage> part) {
    sendBatch();
    stream.send(part);
  }

  private void sendBatch() {
    if (!batch.isEmpty()) {
      List<DataMessage> all = batch;
      batch = new ArrayList<>();
      batchBytes = 0;
      stream.send(all);
    }
  }

  @Override
  public void close() {
    uploads.close();
    sendBatch();
    stream.close();
    over();
  }

  /** Marks the stream as closed, so that no further connection can join it. */
  private void over() {
    closed = true;
    AttachData name = peerSelf;
    if (joinable != null && name != null) {
      joinable.closed(name, uploads);
    }
  }

  @Override
  public void identified(NodeId peer) {
    stream.identified(peer);
    uploads.identified(peer);
  }

  @Override
  public void roundTrip(long nanos) {
    uploads.roundTrip(nanos);
  }

  @Override
  public void spread(int paths) {
    uploads.spread(paths);
  }

  @Override
  public String remoteAddress() {
    return stream.remoteAddress();
  }

  // Receiving.

  @Override
  public void received(
      Connection<List<DataMessage>> from,
      List<DataMessage> messages,
      long arrivedNanos,
      long nowNanos) {
    received(messages, nowNanos);
  }

  @Override
  public void furtherReceived(List<DataMessage> messages, long nowNanos) {
    received(messages, nowNanos);
  }

  private void received(List<DataMessage> messages, long nowNanos) {
    if (!(messages.get(0) instanceof Numbered numbered)) {
      messages.forEach(message -> receivedNext(message, nowNanos));
      return;
    }
    String problem = parts.add(numbered.number(), messages.subList(1, messages.size()));
    if (problem != null) {
      breakUp(problem, nowNanos);
    }
    List<DataMessage> next = closed ? null : parts.poll();
    while (next != null) {
      next.forEach(message -> receivedNext(message, nowNanos));
      next = closed ? null : parts.poll();
    }
  }

  private void receivedNext(DataMessage message, long nowNanos) {
    if (message instanceof Edge edge && edge.message() instanceof Credit credit) {
      batchSize.credited(credit.bytes(), nowNanos);
      if (credit.channel() == Channel.UPLOADS && !closed) {
        uploads.carried(credit.bytes() - credit.windowBytes(), nowNanos);
      }
    }
    if (closed) {
      return;
    }
    if (message instanceof WantConnections wanted) {
      String problem = uploads.received(wanted);
      if (problem != null) {
        breakUp(problem, nowNanos);
      }
      return;
    }
    if (message instanceof AttachData attach && peerSelf == null) {
      peerSelf = attach;
      uploads.peerAttached(attach);
      if (joinable != null) {
        joinable.opened(attach, uploads);
      }
    }
    core.get().dataReceived(this, message, nowNanos);
  }

  // The end.

  private void breakUp(String reason, long nowNanos) {
    if (!closed) {
      uploads.close();
      stream.close();
      over();
      core.get().dataClosed(this, reason, nowNanos);
    }
  }

  @Override
  public void furtherClosed(String reason, long nowNanos) {
    ended(false, reason, nowNanos);
  }

  @Override
  public void closed(Connection<List<DataMessage>> from, String reason, long nowNanos) {
    ended(true, reason, nowNanos);
  }

  /**
   * Handles the end of a connection. After a close by the other end, the remaining connections
   * still deliver.
   */
  private void ended(boolean isMain, String reason, long nowNanos) {
    ended |= isMain;
    if (!reason.equals(GrpcStream.CLOSED_BY_OTHER_END) || (ended && uploads.haveEnded())) {
      breakUp(reason, nowNanos);
    }
  }
}
