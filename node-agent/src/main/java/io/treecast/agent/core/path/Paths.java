package io.treecast.agent.core.path;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Hello;
import io.treecast.agent.core.message.PeerMessage.JoinPath;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The control streams of one agent, each over one or more paths. This class mediates between the
 * transport, which has connections, and the core, to which each stream is a single connection.
 * Dials of data streams are passed to the transport.
 */
public final class Paths implements Transport {
  /** The events of control streams. */
  public interface Events {
    void accepted(Connection<PeerMessage> stream);

    void received(Connection<PeerMessage> stream, PeerMessage message);

    void closed(Connection<PeerMessage> stream, String reason);

    /**
     * Reports that the paths of a stream have changed.
     *
     * @param isLoss whether a data stream may still use a path that failed
     */
    void pathsChanged(Connection<PeerMessage> stream, boolean isLoss);
  }

  private final Hello self;
  private final long handshakeTimeoutNanos;
  private final Transport transport;
  private final Events events;
  private final IdentityHashMap<Connection<PeerMessage>, PathedConnection> streamOf =
      new IdentityHashMap<>();

  /** Accepted streams that further connections may join. */
  private final Map<StreamName, PathedConnection> named = new LinkedHashMap<>();

  /** Streams that have more than one path, or dial several addresses. */
  private final Set<PathedConnection> active = new LinkedHashSet<>();

  /** The next deadline of the active streams; null if it must be recomputed. */
  private @Nullable Long nextNanos = Path.NEVER;

  private long nowNanos;
  private long lastLink;
  private long moves;

  /**
   * Creates an instance without streams.
   *
   * @param self this agent's Hello
   * @param handshakeTimeoutNanos the timeout of all addresses of a member together, and of each
   *     further path
   */
  public Paths(Hello self, long handshakeTimeoutNanos, Transport transport, Events events) {
    this.self = self;
    this.handshakeTimeoutNanos = handshakeTimeoutNanos;
    this.transport = transport;
    this.events = events;
  }

  /** Sets the time of the following events. */
  public void at(long time) {
    nowNanos = time;
    transport.eventBegins(time);
  }

  /** Returns how often a stream has moved to another path. */
  public long moves() {
    return moves;
  }

  @Override
  public Connection<PeerMessage> dialControl(String address) {
    PathedConnection stream =
        PathedConnection.dialed(this, NetworkAddresses.toDial(self.address(), address));
    if (NetworkAddresses.areSeveral(address)) {
      active.add(stream);
      changed();
    }
    return stream;
  }

  @Override
  public Connection<DataMessage> dialData(String address) {
    return transport.dialData(NetworkAddresses.primary(address));
  }

  @Override
  public Connection<DataMessage> dialData(String address, Supplier<List<String>> paths) {
    return transport.dialData(address, paths);
  }

  // Events of connections.

  public void accepted(Connection<PeerMessage> connection) {
    PathedConnection stream = PathedConnection.accepted(this, connection);
    streamOf.put(connection, stream);
    events.accepted(stream);
  }

  public void received(Connection<PeerMessage> connection, PeerMessage message) {
    PathedConnection stream = streamOf.get(connection);
    if (stream == null) {
      return;
    }
    if (message instanceof JoinPath join && stream.isFresh()) {
      joins(stream, connection, join);
      return;
    }
    stream.received(connection, message);
    changed();
  }

  /** Moves a connection, which was accepted as a stream of its own, to the stream that it joins. */
  private void joins(PathedConnection fresh, Connection<PeerMessage> connection, JoinPath join) {
    streamOf.remove(connection);
    events.closed(fresh, "the connection belongs to another control stream");
    PathedConnection stream =
        named.get(new StreamName(join.node(), join.incarnation(), join.link()));
    if (stream == null || !stream.join(connection, join.network())) {
      connection.close();
      return;
    }
    streamOf.put(connection, stream);
    changed();
  }

  public void closed(Connection<PeerMessage> connection, String reason) {
    PathedConnection stream = streamOf.remove(connection);
    if (stream != null) {
      stream.closed(connection, reason);
      changed();
    }
  }

  public long nextDeadlineNanos() {
    Long known = nextNanos;
    if (known == null) {
      long next = Path.NEVER;
      for (PathedConnection stream : active) {
        next = Math.min(next, stream.nextDeadlineNanos());
      }
      known = next;
      nextNanos = known;
    }
    return known;
  }

  public void tick() {
    if (nextDeadlineNanos() <= nowNanos) {
      for (PathedConnection stream : List.copyOf(active)) {
        stream.tick(nowNanos);
      }
      changed();
    }
  }

  // Methods that the streams call.

  long nowNanos() {
    return nowNanos;
  }

  Hello self() {
    return self;
  }

  long handshakeTimeoutNanos() {
    return handshakeTimeoutNanos;
  }

  long nextLink() {
    return ++lastLink;
  }

  void changed() {
    nextNanos = active.isEmpty() ? (Long) Path.NEVER : null;
  }

  Connection<PeerMessage> dial(PathedConnection stream, String address) {
    Connection<PeerMessage> connection = transport.dialControl(address);
    streamOf.put(connection, stream);
    return connection;
  }

  void forget(Connection<PeerMessage> connection) {
    streamOf.remove(connection);
  }

  void received(PathedConnection stream, PeerMessage message) {
    events.received(stream, message);
  }

  void closed(PathedConnection stream, String reason) {
    events.closed(stream, reason);
  }

  void named(PathedConnection stream, StreamName name) {
    named.put(name, stream);
    active.add(stream);
  }

  void pathsChanged(PathedConnection stream, boolean isLoss) {
    active.add(stream);
    events.pathsChanged(stream, isLoss);
  }

  void moved() {
    moves++;
  }

  void ended(PathedConnection stream) {
    if (active.remove(stream)) {
      named.values().removeIf(other -> other == stream);
      changed();
    }
  }
}
