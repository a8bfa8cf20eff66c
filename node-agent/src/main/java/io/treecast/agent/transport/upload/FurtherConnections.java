package io.treecast.agent.transport.upload;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.JoinData;
import io.treecast.agent.transport.connection.Loop;
import io.treecast.agent.transport.connection.PacedConnection;
import io.treecast.agent.transport.connection.StreamEvents;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Further connections that other agents have dialed, until each has named the data stream that it
 * joins; and the data streams that can be joined, by their first message from the other end. Owned
 * by the agent's loop.
 */
public final class FurtherConnections {
  /** The limit of connections without a message; beyond it the oldest one is closed. */
  static final int MOST_SILENT = 256;

  /** Their number is limited by the core. The map is never iterated. */
  private final Map<AttachData, UploadConnections> streams = new HashMap<>();

  private final Set<Joining> silent = new LinkedHashSet<>();

  public void opened(AttachData name, UploadConnections stream) {
    streams.put(name, stream);
  }

  public void closed(AttachData name, UploadConnections stream) {
    streams.remove(name, stream);
  }

  /**
   * Accepts a connection that another agent has dialed.
   *
   * @param opening creates the connection with this receiver of its events
   */
  public <S extends PacedConnection<List<DataMessage>>> S accept(
      Loop loop, Function<StreamEvents<List<DataMessage>>, S> opening) {
    Joining joining = new Joining();
    S connection = opening.apply(joining);
    loop.execute(() -> accepted(joining, connection));
    return connection;
  }

  private void accepted(Joining joining, PacedConnection<List<DataMessage>> connection) {
    joining.connection = connection;
    if (silent.size() == MOST_SILENT) {
      silent.iterator().next().abort();
    }
    silent.add(joining);
  }

  private final class Joining implements StreamEvents<List<DataMessage>> {
    private @Nullable PacedConnection<List<DataMessage>> connection;
    private @Nullable StreamEvents<List<DataMessage>> joined;

    @Override
    public void received(
        Connection<List<DataMessage>> from,
        List<DataMessage> batch,
        long arrivedNanos,
        long nowNanos) {
      if (joined != null) {
        joined.received(from, batch, arrivedNanos, nowNanos);
      } else if (silent.remove(this) && batch.get(0) instanceof JoinData join) {
        join(streams.get(join.stream()));
      } else {
        abort();
      }
    }

    private void join(@Nullable UploadConnections to) {
      PacedConnection<List<DataMessage>> joins = connection;
      if (to != null && joins != null) {
        joined = to.join(joins);
      }
      if (joined == null) {
        abort();
      }
    }

    private void abort() {
      silent.remove(this);
      PacedConnection<List<DataMessage>> given = connection;
      if (given != null) {
        given.close();
      }
    }

    @Override
    public void writable() {
      if (joined != null) {
        joined.writable();
      }
    }

    @Override
    public void closed(Connection<List<DataMessage>> from, String reason, long nowNanos) {
      silent.remove(this);
      if (joined != null) {
        joined.closed(from, reason, nowNanos);
      }
    }
  }
}
