package io.treecast.testkit.sim;

import io.treecast.agent.core.Connection;
import io.treecast.ghs.NodeId;
import java.util.function.UnaryOperator;

/**
 * One end of a connection between two simulated agents: what is sent arrives after the link's
 * delay, in order. Every message passes through its wire format on the way, and must come out as it
 * went in.
 *
 * @param <M> what it carries
 */
final class SimStream<M> implements Connection<M> {
  /** The agent at an end of a connection. */
  interface End<M> {
    void received(SimStream<M> stream, M message);

    void closed(SimStream<M> stream, String reason);
  }

  private final VirtualTime time;
  private final long delayNanos;
  private final UnaryOperator<M> throughTheWire;
  private final End<M> owner;
  private final String remoteAddress;
  private SimStream<M> far;
  private boolean closed;

  private SimStream(
      VirtualTime time,
      long delayNanos,
      UnaryOperator<M> throughTheWire,
      End<M> owner,
      String remoteAddress) {
    this.time = time;
    this.delayNanos = delayNanos;
    this.throughTheWire = throughTheWire;
    this.owner = owner;
    this.remoteAddress = remoteAddress;
    this.far = this;
  }

  /** A connection's end at its dialer; {@link #far} is the other. */
  static <M> SimStream<M> between(
      VirtualTime time,
      long delayNanos,
      UnaryOperator<M> throughTheWire,
      End<M> dialer,
      String dialerAddress,
      End<M> acceptor,
      String acceptorAddress) {
    SimStream<M> near = new SimStream<>(time, delayNanos, throughTheWire, dialer, acceptorAddress);
    SimStream<M> far = new SimStream<>(time, delayNanos, throughTheWire, acceptor, dialerAddress);
    near.far = far;
    far.far = near;
    return near;
  }

  SimStream<M> far() {
    return far;
  }

  @Override
  public void send(M message) {
    if (closed) {
      return;
    }
    M arriving = throughTheWire.apply(message);
    if (!arriving.equals(message)) {
      throw new AssertionError("sent " + message + " and " + arriving + " arrived");
    }
    time.after(
        delayNanos,
        () -> {
          if (!far.closed) {
            far.owner.received(far, arriving);
          }
        });
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      time.after(delayNanos, () -> far.end("closed by the other end"));
    }
  }

  /** The network ends it here. */
  void end(String reason) {
    if (!closed) {
      closed = true;
      owner.closed(this, reason);
    }
  }

  @Override
  public void identified(NodeId peer) {
    // The simulated network knows its ends.
  }

  @Override
  public String remoteAddress() {
    return remoteAddress;
  }
}
