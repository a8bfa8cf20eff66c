package io.treecast.agent.core;

import io.treecast.agent.core.DataMessage.AttachData;
import io.treecast.agent.core.DataMessage.Credit;
import io.treecast.agent.core.DataMessage.Data;
import io.treecast.agent.core.DataMessage.Leave;
import io.treecast.collectives.BroadcastRelay;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;

/**
 * The data streams of the tree's edges. The end that dialed the link dials its data stream too;
 * both ends name the link's session first, and either stream's end is the end of both.
 *
 * <p>Owned by the agent's thread.
 */
final class DataStreams {
  /** Streams that other agents opened and have not attached to a link. */
  static final int MAX_UNATTACHED = 1_024;

  /** Ends a link whose data stream is of no use any more. */
  interface Events {
    /** The stream is gone. */
    void failed(Link link, String reason, long nowNanos);

    /** The other end sent what no agent sends. */
    void violated(Link link, String reason);

    /** The other end's agent is shutting down. */
    void left(Link link, long nowNanos);
  }

  private final AttachData self;
  private final Links links;
  private final Transport transport;
  private final BroadcastRelay relay;
  private final Events events;

  private final long attachTimeoutNanos;

  /** Streams whose other end has not named the session yet, in the order of their deadlines. */
  private final LinkedHashMap<Connection<DataMessage>, Long> attachDeadlines =
      new LinkedHashMap<>();

  private final IdentityHashMap<Connection<DataMessage>, Link> linkOf = new IdentityHashMap<>();
  private int unattached;

  /**
   * No stream yet.
   *
   * @param self what this agent says of itself; its session is ignored
   * @param attachTimeoutNanos a stream whose other end names no session by then is closed
   */
  DataStreams(
      AttachData self,
      long attachTimeoutNanos,
      Links links,
      Transport transport,
      BroadcastRelay relay,
      Events events) {
    this.self = self;
    this.attachTimeoutNanos = attachTimeoutNanos;
    this.links = links;
    this.transport = transport;
    this.relay = relay;
    this.events = events;
  }

  /** Opens the streams that this end has to open. */
  void treeCommitted(CommittedTree tree, long nowNanos) {
    for (NodeId neighbour : tree.neighbours(self.node())) {
      Link link = links.open(neighbour);
      if (link != null && link.data == null && link.dialedAddress != null) {
        Connection<DataMessage> connection = transport.dialData(link.dialedAddress);
        connection.identified(neighbour);
        link.data = connection;
        linkOf.put(connection, link);
        attachDeadlines.put(connection, nowNanos + attachTimeoutNanos);
        connection.send(attach(self.node(), self.incarnation(), link));
        // Not when the other end answers: its credit should not take another round trip.
        relay.edgeOpened(neighbour);
      }
    }
  }

  private static AttachData attach(NodeId sender, long incarnation, Link link) {
    return new AttachData(sender, incarnation, link.session);
  }

  /** Another agent has opened a data stream. */
  void accepted(Connection<DataMessage> connection, long nowNanos) {
    if (unattached >= MAX_UNATTACHED) {
      connection.close();
      return;
    }
    unattached++;
    attachDeadlines.put(connection, nowNanos + attachTimeoutNanos);
  }

  void received(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link == null) {
      if (attachDeadlines.remove(connection) != null) {
        unattached--;
        attach(connection, message);
      }
    } else if (!link.dataAttached && message.equals(attach(link.peer, link.incarnation, link))) {
      attachDeadlines.remove(connection);
      link.dataAttached = true;
    } else if (message instanceof Leave) {
      events.left(link, nowNanos);
    } else if (message instanceof Data data && link.dataAttached) {
      relay.received(link.peer, data.chunk());
    } else if (message instanceof Credit credit && link.dataAttached) {
      relay.granted(link.peer, credit.bytes());
    } else {
      events.violated(
          link, message.getClass().getSimpleName() + " came out of turn on the data stream");
    }
  }

  private void attach(Connection<DataMessage> connection, DataMessage message) {
    Link link = message instanceof AttachData attach ? links.open(attach.node()) : null;
    if (link == null
        || link.data != null
        || !message.equals(attach(link.peer, link.incarnation, link))) {
      connection.close();
      return;
    }
    connection.identified(link.peer);
    link.data = connection;
    linkOf.put(connection, link);
    connection.send(attach(self.node(), self.incarnation(), link));
    link.dataAttached = true;
    relay.edgeOpened(link.peer);
  }

  /** The driver reports that a stream is gone. */
  void closed(Connection<DataMessage> connection, String reason, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link != null) {
      events.failed(link, "its data stream ended: " + reason, nowNanos);
    } else if (attachDeadlines.remove(connection) != null) {
      unattached--;
    }
  }

  /** The link is gone, and with it its data stream. */
  void linkLost(Link link) {
    Connection<DataMessage> data = link.data;
    if (data != null) {
      linkOf.remove(data);
      attachDeadlines.remove(data);
      data.close();
      link.data = null;
      relay.edgeClosed(link.peer);
    }
  }

  /** Says goodbye on all streams and closes them. */
  void leave() {
    for (Connection<DataMessage> connection : linkOf.keySet()) {
      connection.send(new Leave());
      connection.close();
    }
    linkOf.clear();
    attachDeadlines.keySet().forEach(Connection::close);
    attachDeadlines.clear();
  }

  /** Gives up streams that were not attached in time. */
  void tick(long nowNanos) {
    while (nextDeadlineNanos() <= nowNanos) {
      Connection<DataMessage> connection = attachDeadlines.keySet().iterator().next();
      Link link = linkOf.get(connection);
      if (link == null) {
        attachDeadlines.remove(connection);
        unattached--;
        connection.close();
      } else {
        events.failed(link, "its data stream was not answered in time", nowNanos);
      }
    }
  }

  long nextDeadlineNanos() {
    return attachDeadlines.isEmpty() ? Long.MAX_VALUE : attachDeadlines.values().iterator().next();
  }

  /** Sends on the data stream to this neighbour, if there is one. */
  void send(NodeId neighbour, DataMessage message) {
    Link link = links.open(neighbour);
    if (link != null && link.data != null) {
      link.data.send(message);
    }
  }
}
