package io.treecast.agent.transport;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.collectives.broadcast.message.EdgeMessage.Credit;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A data stream: content and credit travel together, as far as {@link BatchSize} lets them, since
 * to gRPC and to the other end's loop each of its own messages has a cost. They wait only for the
 * tasks that the loop had already when the first of them was sent. On the agent's loop.
 *
 * @param <S> the stream of batches
 */
final class DataStream<S extends Connection<List<DataMessage>>>
    implements Connection<DataMessage>, StreamEvents<List<DataMessage>> {
  /** The bytes for which a message counts that is neither content nor credit: it travels alone. */
  private static final long ALONE = BatchSize.MOST_BYTES;

  private final GrpcTransport.Core core;
  private final Loop loop;
  private final S stream;
  private final BatchSize batchSize = new BatchSize();
  private List<DataMessage> batch = new ArrayList<>();
  private long batchBytes;
  private boolean closed;

  /**
   * Creates a stream over a stream of batches.
   *
   * @param opening creates that one, given the receiver of its events
   */
  DataStream(
      GrpcTransport.Core core, Loop loop, Function<StreamEvents<List<DataMessage>>, S> opening) {
    this.core = core;
    this.loop = loop;
    this.stream = opening.apply(this);
  }

  S stream() {
    return stream;
  }

  @Override
  public void send(DataMessage message) {
    if (closed) {
      return;
    }
    long bytes = bytes(message);
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

  private static long bytes(DataMessage message) {
    if (message instanceof Edge edge) {
      if (edge.message() instanceof Data data) {
        return data.item().cost();
      }
      if (edge.message() instanceof Credit) {
        return BatchSize.CREDIT_BYTES;
      }
    }
    return ALONE;
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
    sendBatch();
    closed = true;
    stream.close();
  }

  @Override
  public void identified(NodeId peer) {
    stream.identified(peer);
  }

  @Override
  public String remoteAddress() {
    return stream.remoteAddress();
  }

  @Override
  public void received(
      Connection<List<DataMessage>> from,
      List<DataMessage> messages,
      long arrivedNanos,
      long nowNanos) {
    for (DataMessage message : messages) {
      if (message instanceof Edge edge && edge.message() instanceof Credit credit) {
        batchSize.credited(credit.bytes(), nowNanos);
      }
      if (!closed) {
        core.dataReceived(this, message, nowNanos);
      }
    }
  }

  @Override
  public void closed(Connection<List<DataMessage>> from, String reason, long nowNanos) {
    closed = true;
    core.dataClosed(this, reason, nowNanos);
  }
}
