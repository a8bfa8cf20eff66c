package io.treecast.testkit.sim.network;

import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.message.PeerMessage.ShortcutAck;
import io.treecast.agent.core.message.PeerMessage.ShortcutCopy;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.ghs.NodeId;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection between two simulated agents, with its messages in flight to the other
 * end. They arrive in order after the link's delay; a blocked link holds them.
 *
 * @param <M> the type of the messages
 */
public final class SimStream<M> implements Connection<M> {

  /** Receives the events of a host's connections. */
  public interface End<M> {
    /** Another host has connected. */
    void accepted(SimStream<M> stream);

    void received(SimStream<M> stream, M message);

    /** The connection has ended, and this end has not closed it. */
    void closed(SimStream<M> stream, String reason);
  }

  /** A message or an event in flight to the other end. */
  private static final class Parcel {
    final Runnable arrive;

    /** Whether it arrives only if both directions pass, since a handshake needs an answer. */
    final boolean isHandshake;

    final boolean isTreeMessage;
    final int bytes;
    long dueNanos;

    Parcel(Runnable arrive, int bytes, boolean isHandshake, boolean isTreeMessage, long dueNanos) {
      this.arrive = arrive;
      this.bytes = bytes;
      this.isHandshake = isHandshake;
      this.isTreeMessage = isTreeMessage;
      this.dueNanos = dueNanos;
    }
  }

  private final SimNetwork network;
  private final SimNetwork.Protocol<M> protocol;
  private final SimWire<M> wire;
  private final int here;
  private final int there;
  private final String name;
  private final ArrayDeque<Parcel> underWay = new ArrayDeque<>();
  private final Runnable arrivals = this::deliverDue;
  private @Nullable SimHost owner;
  private SimStream<M> far;
  private long lastDueNanos;
  private boolean closed;

  private SimStream(
      SimNetwork network,
      SimNetwork.Protocol<M> protocol,
      int here,
      int there,
      String name,
      @Nullable SimHost owner) {
    this.network = network;
    this.protocol = protocol;
    this.wire = protocol.wires().get();
    this.here = here;
    this.there = there;
    this.name = name;
    this.owner = owner;
    this.far = this;
  }

  /** Returns the dialer's end of a new connection, whose handshake is in flight. */
  static <M> SimStream<M> dial(
      SimNetwork network, SimNetwork.Protocol<M> protocol, SimHost dialer, String address) {
    int there = SimSettings.nodeAt(address);
    String name = SimSettings.networkAt(address);
    SimStream<M> near = new SimStream<>(network, protocol, dialer.node(), there, name, dialer);
    SimStream<M> far = new SimStream<>(network, protocol, there, dialer.node(), name, null);
    near.far = far;
    far.far = near;
    near.transmit(far::accepted, 0, true, false);
    return near;
  }

  private void accepted() {
    SimHost acceptor = network.host(here);
    if (acceptor == null) {
      closed = true;
      transmit(() -> far.end("connection refused"), 0, false, false);
      return;
    }
    owner = acceptor;
    acceptor.handle(
        () -> {
          if (!closed) {
            protocol.ends().apply(acceptor).accepted(this);
          }
        });
  }

  @Override
  public void send(M meant) {
    SimHost host = owner;
    if (closed) {
      return;
    }
    if (host == null) {
      leave(meant);
    } else {
      host.passOn(lateNanos -> leave(lateNanos == 0 ? meant : wire.leaving(meant, lateNanos)));
    }
  }

  private void leave(M meant) {
    M message = protocol.sent().apply(here, meant);
    byte[] frame = protocol.frames().apply(here, wire.encode(message));
    boolean isDistorted = network.isDistorted(here) || network.isDistorted(there);
    String controlType = wire.controlType(message);
    if (controlType != null) {
      network.sentControl(here, there, controlType, message, frame.length);
    } else if (protocol.isData()
        || message instanceof ShortcutCopy
        || message instanceof ShortcutAck) {
      network.sentData(message, frame.length);
    }
    transmit(
        () -> far.receive(frame, isDistorted ? null : message),
        frame.length,
        false,
        controlType != null);
  }

  /** Receives a frame. The sent message, for comparison, is null if an end is distorted. */
  private void receive(byte[] frame, @Nullable M sent) {
    SimHost host = owner;
    if (closed || host == null) {
      return;
    }
    M decoded;
    try {
      decoded = wire.decode(frame);
    } catch (WireViolation violation) {
      if (sent != null) {
        throw new AssertionError("an agent's message cannot be decoded", violation);
      }
      reset("invalid frame: " + violation.getMessage());
      far.reset("refused by the other end");
      return;
    }
    if (sent != null && !decoded.equals(sent)) {
      throw new AssertionError("sent " + sent + " and " + decoded + " arrived");
    }
    M message =
        protocol.received().apply(here, sent == null ? decoded : wire.handed(sent, decoded));
    host.handle(
        () -> {
          if (!closed) {
            protocol.ends().apply(host).received(this, message);
          }
        });
  }

  private void transmit(Runnable arrive, int bytes, boolean isHandshake, boolean isTreeMessage) {
    if (!network.conditions().linked(here, there)) {
      return;
    }
    long due =
        network.nowNanos() + network.drawDelayNanos(here, there, bytes) + network.extraNanos(name);
    lastDueNanos = Math.max(lastDueNanos, due);
    underWay.add(new Parcel(arrive, bytes, isHandshake, isTreeMessage, lastDueNanos));
    if (underWay.size() == 1) {
      network.at(lastDueNanos, arrivals);
    }
  }

  /** Delivers all messages that are due and that the link passes. */
  private void deliverDue() {
    while (isDue(underWay.peek())) {
      underWay.remove().arrive.run();
    }
    Parcel next = underWay.peek();
    if (next != null && next.dueNanos > network.nowNanos()) {
      network.at(next.dueNanos, arrivals);
    }
  }

  private boolean isDue(@Nullable Parcel parcel) {
    return parcel != null
        && parcel.dueNanos <= network.nowNanos()
        && passes(here, there, parcel.bytes)
        && (!parcel.isHandshake || passes(there, here, parcel.bytes));
  }

  private boolean passes(int from, int to, int bytes) {
    if (network.isCut(name)) {
      return false;
    }
    return protocol.isData()
        ? network.conditions().passesData(from, to, bytes)
        : network.conditions().passes(from, to);
  }

  /** Retransmits held messages after the link was healed. */
  void released() {
    Parcel first = underWay.peek();
    if (first == null || first.dueNanos > network.nowNanos()) {
      return;
    }
    long due = network.nowNanos() + network.conditions().oneWayNanos(here, there);
    for (Parcel parcel : underWay) {
      parcel.dueNanos = Math.max(parcel.dueNanos, due);
    }
    lastDueNanos = Math.max(lastDueNanos, due);
    network.at(due, arrivals);
  }

  /** Returns whether a message of the tree protocol is in flight on a link that passes it. */
  boolean carriesTreeMessage() {
    return network.conditions().passes(here, there)
        && underWay.stream().anyMatch(parcel -> parcel.isTreeMessage);
  }

  @Override
  public void close() {
    close("closed by the other end");
  }

  /** Closes this end; the other end is notified after all earlier messages. */
  void close(String reason) {
    if (!closed) {
      closed = true;
      transmit(() -> far.end(reason), 0, false, false);
    }
  }

  /** Ends the connection at this end and discards its messages in flight. */
  void reset(String reason) {
    underWay.clear();
    end(reason);
  }

  private void end(String reason) {
    SimHost host = owner;
    if (closed || host == null) {
      closed = true;
      return;
    }
    host.handle(
        () -> {
          if (!closed) {
            closed = true;
            protocol.ends().apply(host).closed(this, reason);
          }
        });
  }

  /** Returns whether both ends are closed and nothing is in flight. */
  boolean isOver() {
    return closed && far.closed && underWay.isEmpty() && far.underWay.isEmpty();
  }

  SimStream<M> far() {
    return far;
  }

  boolean isData() {
    return protocol.isData();
  }

  boolean joins(int one, int other) {
    return (here == one && there == other) || (here == other && there == one);
  }

  /** Returns the end of the connection at a host, or null. */
  @Nullable SimStream<M> endOf(SimHost host) {
    return owner == host ? this : far.owner == host ? far : null;
  }

  @Override
  public void identified(NodeId peer) {
    // The simulated network knows its ends.
  }

  @Override
  public String remoteAddress() {
    return SimSettings.address(SimSettings.id(there), name);
  }
}
