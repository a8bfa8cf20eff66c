package io.treecast.agent.core.data;

import io.treecast.agent.core.bulk.BulkProbes;
import io.treecast.agent.core.contract.Connection;
import io.treecast.agent.core.contract.Transport;
import io.treecast.agent.core.contract.UploadEdges;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.CountHorizon;
import io.treecast.agent.core.message.DataMessage;
import io.treecast.agent.core.message.DataMessage.AttachBulk;
import io.treecast.agent.core.message.DataMessage.AttachData;
import io.treecast.agent.core.message.DataMessage.Edge;
import io.treecast.agent.core.message.DataMessage.Leave;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.message.NetworkAddresses;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.DataAck;
import io.treecast.agent.core.message.PeerMessage.Probe;
import io.treecast.agent.core.message.PeerMessage.ProbeReply;
import io.treecast.agent.core.message.PeerMessage.RefusalCause;
import io.treecast.collectives.broadcast.BroadcastRelay;
import io.treecast.collectives.broadcast.Departure;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The data streams of the links that carry data.
 *
 * <p>The end that dialed the link also dials its data stream, once the link is an edge, and closes
 * it when neither end uses it any longer. Both ends first send the link's session and the stream's
 * number. The end of a link ends its data stream. Streams that other agents open for bulk probes
 * are passed to {@link BulkProbes}.
 *
 * <p>If an established data stream breaks, another one is dialed at once. If that breaks soon as
 * well, or if a data stream stalls while the control stream works, the link {@linkplain DataPauses
 * carries no data} and is ended. When it is opened again, it is on probation: its owner announces
 * no weight until a data stream has carried a large message in both directions.
 */
public final class DataStreams {
  /** The maximum number of accepted streams that are not yet attached to a link. */
  static final int MAX_UNATTACHED = 1_024;

  /**
   * A control message that arrives this long after the end of the data stream was sent after that
   * end.
   */
  private static final long LATER_NANOS = 1_000_000_000L;

  /** After a stall of this length, a link over several networks looks for another path. */
  private static final long DOUBT_NANOS = 2_000_000_000L;

  private static final String NOT_ANSWERED = "its data stream was not answered in time";

  /** A stream that breaks within this time after the previous break did not break by accident. */
  private static final long ACCIDENT_NANOS = 60_000_000_000L;

  private final AttachData self;
  private final ReceiptClock receiptClock;
  private final Links links;
  private final Transport transport;
  private final CountHorizon horizon;
  private final BroadcastRelay relay;
  private final List<TreeService> services;
  private final BulkProbes bulkProbes;
  private final ObjLongConsumer<Link> uploading;
  private final ObjLongConsumer<Link> proven;

  private final long attachTimeoutNanos;
  private final long stallNanos;

  /** The deadlines of streams on which the other end has not yet sent AttachData, in order. */
  private final LinkedHashMap<Connection<DataMessage>, Long> attachDeadlines =
      new LinkedHashMap<>();

  /** The deadlines of links on probation that the other end dialed, in order. */
  private final LinkedHashMap<Link, Long> probationDeadlines = new LinkedHashMap<>();

  private final LinkedHashMap<Connection<DataMessage>, Link> linkOf = new LinkedHashMap<>();
  private final WaitingReplies replies = new WaitingReplies(this::sendNow);
  private SortedSet<NodeId> messageEdges = new TreeSet<>();
  private SortedSet<NodeId> uploadEdges = new TreeSet<>();

  /** The neighbours that send uploads to this agent, even if they receive none. */
  private Set<NodeId> uploadsFrom = Set.of();

  private int unattached;
  private @Nullable Departure departure;
  private Runnable departed = () -> {};

  /**
   * Creates an instance without streams.
   *
   * @param self this agent's AttachData; its session and stream are ignored
   * @param attachTimeoutNanos the time within which the other end of a stream must send AttachData
   * @param stallNanos the time without data, while control messages are answered, after which a
   *     stream counts as stalled
   * @param uploading notified when data of an upload crosses a link
   * @param proven notified, at a link's owner, when the link has passed its probation
   */
  public DataStreams(
      AttachData self,
      long attachTimeoutNanos,
      long stallNanos,
      Links links,
      Transport transport,
      CountHorizon horizon,
      BroadcastRelay relay,
      List<? extends TreeService> services,
      BulkProbes bulkProbes,
      ObjLongConsumer<Link> uploading,
      ObjLongConsumer<Link> proven) {
    this.self = self;
    this.receiptClock = new ReceiptClock(self.node());
    this.attachTimeoutNanos = attachTimeoutNanos;
    this.stallNanos = stallNanos;
    this.links = links;
    this.transport = transport;
    this.horizon = horizon;
    this.relay = relay;
    this.services = List.copyOf(services);
    this.bulkProbes = bulkProbes;
    this.uploading = uploading;
    this.proven = proven;
  }

  /**
   * Sets the edges on which this agent sends from now on. Each needs a data stream.
   *
   * @param active the edges of messages: the linked neighbours in the committed tree, and further
   *     ones that carry data until the next commit; null if unchanged
   * @param uploads the edges of uploads; null if unchanged
   */
  public void follow(
      @Nullable SortedSet<NodeId> active, @Nullable UploadEdges uploads, long nowNanos) {
    if (active != null) {
      activeEdges(active, nowNanos);
    }
    if (uploads != null) {
      uploadEdges(uploads, nowNanos);
    }
    if (active != null || uploads != null) {
      adjust(nowNanos);
    }
  }

  private void activeEdges(SortedSet<NodeId> active, long nowNanos) {
    relay.tick(nowNanos);
    messageEdges = active;
    relay.activeEdges(active);
    checkDeparture();
  }

  private void uploadEdges(UploadEdges edges, long nowNanos) {
    relay.tick(nowNanos);
    uploadEdges = edges.active();
    uploadsFrom = edges.from();
    relay.uploadEdges(edges.active(), edges.held());
    checkDeparture();
  }

  /** Opens the streams that this end must dial, and closes those that are no longer used. */
  private void adjust(long nowNanos) {
    TreeSet<NodeId> active = new TreeSet<>(messageEdges);
    active.addAll(uploadEdges);
    active.addAll(uploadsFrom);
    for (NodeId neighbour : active) {
      Link link = links.open(neighbour);
      if (link != null && link.data == null && link.dataFailure == null) {
        dialIfDialer(link, nowNanos);
      }
    }
    List.copyOf(linkOf.values()).forEach(this::closeIfDetached);
  }

  /**
   * Handles a link that has opened. On probation, its data stream is tested before the link may
   * become an edge.
   */
  public void opened(Link link, long nowNanos) {
    if (!link.onProbation) {
      return;
    }
    if (link.dialedAddress != null) {
      dialIfDialer(link, nowNanos);
    } else {
      probationDeadlines.put(link, nowNanos + attachTimeoutNanos);
    }
  }

  /**
   * Ends the probation of a link: its data stream has carried a large message in both directions.
   */
  private void passed(Link link, long nowNanos) {
    if (link.onProbation && link.isOwnedBy(self.node())) {
      link.onProbation = false;
      probationDeadlines.remove(link);
      proven.accept(link, nowNanos);
    }
  }

  private void dialIfDialer(Link link, long nowNanos) {
    String address = link.dialedAddress;
    if (address == null) {
      return;
    }
    List<String> paths = link.control.paths();
    Connection<DataMessage> connection =
        paths.isEmpty()
            ? transport.dialData(address)
            : transport.dialData(paths.get(link.dataRedials % paths.size()), link.control::paths);
    connection.identified(link.peer);
    tellRoundTrip(link, connection);
    link.dataStream++;
    link.data = connection;
    link.dataProgress.opened(nowNanos);
    linkOf.put(connection, link);
    attachDeadlines.put(connection, nowNanos + attachTimeoutNanos);
    connection.send(ownAttach(link).withPadding(probationBytes(link)));
    // Now, and not at the other end's answer, which would delay credit and digest by a round trip.
    streamOpened(link, nowNanos);
  }

  private static void tellRoundTrip(Link link, Connection<DataMessage> connection) {
    LinkWeight weight = link.weight;
    if (weight != null) {
      connection.roundTrip(TimeUnit.MICROSECONDS.toNanos(weight.cost()));
    }
    connection.spread(Math.max(1, link.control.paths().size()));
  }

  /**
   * Handles a change of the link's paths.
   *
   * @param isLoss whether the data stream may use a path that failed; it is then dialed again
   */
  public void pathsChanged(Link link, boolean isLoss, long nowNanos) {
    Connection<DataMessage> data = link.data;
    if (data == null) {
      return;
    }
    if (isLoss && link.dialedAddress != null) {
      link.dataRedials = 0;
      forgetStream(link, data);
      dialIfDialer(link, nowNanos);
    } else {
      data.spread(Math.max(1, link.control.paths().size()));
    }
  }

  private void streamOpened(Link link, long nowNanos) {
    relay.streamOpened(link.peer, link.incarnation);
    services.forEach(service -> service.streamOpened(link.peer, nowNanos));
  }

  private AttachData ownAttach(Link link) {
    return attach(self.node(), self.incarnation(), link, link.dataStream);
  }

  /**
   * Returns the padding of AttachData. On probation it makes the message large, since a path may
   * pass small packets only.
   */
  private static int probationBytes(Link link) {
    return link.onProbation ? AttachData.MAX_PADDING_BYTES : 0;
  }

  private static AttachData attach(NodeId sender, long incarnation, Link link, long stream) {
    return new AttachData(sender, incarnation, link.firstSession, stream);
  }

  private void closeIfDetached(Link link) {
    // On probation the stream stays open until the owner has seen it work, and announced a weight.
    boolean isOnProbation = link.onProbation && link.weight == null;
    if (link.dialedAddress != null
        && link.data != null
        && relay.isDetached(link.peer)
        && !uploadsFrom.contains(link.peer)
        && !isOnProbation) {
      forgetStream(link, link.data);
    }
  }

  /** Handles a data stream that another agent has opened. */
  public void accepted(Connection<DataMessage> connection, long nowNanos) {
    if (unattached >= MAX_UNATTACHED) {
      connection.close();
      return;
    }
    unattached++;
    attachDeadlines.put(connection, nowNanos + attachTimeoutNanos);
  }

  public void received(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    if (bulkProbes.received(connection, message, nowNanos)) {
      return;
    }
    relay.tick(nowNanos);
    String problem = horizon.problemWith(message, nowNanos);
    Link link = linkOf.get(connection);
    if (link == null) {
      if (attachDeadlines.remove(connection) != null) {
        unattached--;
        if (message instanceof AttachBulk attach) {
          bulkProbes.accepted(connection, attach, nowNanos);
        } else {
          attach(connection, message, nowNanos);
        }
      }
    } else if (!link.dataAttached
        && message instanceof AttachData attach
        && attach
            .withPadding(0)
            .equals(attach(link.peer, link.incarnation, link, link.dataStream))) {
      attachDeadlines.remove(connection);
      link.dataAttached = true;
      passed(link, nowNanos);
    } else if (message instanceof Leave) {
      links.left(link, nowNanos);
    } else if (problem != null) {
      links.violated(link, problem, nowNanos);
    } else if (message instanceof Edge edge && link.dataAttached) {
      if (edge.message() instanceof EdgeMessage.Credit credit) {
        link.transfer.acknowledged(credit.bytes() - credit.windowBytes(), nowNanos);
      }
      link.dataProgress.received();
      watchBulk(link, edge.message(), nowNanos);
      LinkWeight weight = link.weight;
      if (weight != null && edge.message() instanceof EdgeMessage.Data) {
        relay.roundTrip(link.peer, TimeUnit.MICROSECONDS.toNanos(weight.cost()));
      }
      relay.received(link.peer, receiptClock.received(link, edge.message(), nowNanos));
      closeIfDetached(link);
      checkDeparture();
    } else if (message instanceof ServiceMessage ofService && link.dataAttached) {
      link.dataProgress.received();
      link.traffic.carried(ofService.cost(), nowNanos);
      serve(link, ofService, nowNanos);
    } else {
      String what = message.getClass().getSimpleName();
      links.violated(link, what + " arrived out of order on the data stream", nowNanos);
    }
  }

  private void serve(Link link, ServiceMessage message, long nowNanos) {
    for (TreeService service : services) {
      if (service.received(link.peer, message, nowNanos)) {
        return;
      }
    }
    throw new IllegalStateException("no service for " + message);
  }

  private void attach(Connection<DataMessage> connection, DataMessage message, long nowNanos) {
    Link link = message instanceof AttachData attach ? accepting(attach.withPadding(0)) : null;
    if (link == null) {
      connection.close();
      return;
    }
    if (link.data != null) {
      // The other end has closed it already: it never dials a stream beside one that it uses.
      forgetStream(link, link.data);
    }
    connection.identified(link.peer);
    tellRoundTrip(link, connection);
    link.data = connection;
    link.dataFailure = null;
    link.dataProgress.opened(nowNanos);
    linkOf.put(connection, link);
    connection.send(ownAttach(link).withPadding(probationBytes(link)));
    link.dataAttached = true;
    streamOpened(link, nowNanos);
  }

  /**
   * Returns the link that a stream attaches to; null unless the other end dialed the link and the
   * stream is new.
   */
  private @Nullable Link accepting(AttachData attach) {
    Link link = links.open(attach.node());
    if (link == null
        || link.dialedAddress != null
        || attach.stream() <= link.dataStream
        || !attach.equals(attach(link.peer, link.incarnation, link, attach.stream()))) {
      return null;
    }
    link.dataStream = attach.stream();
    return link;
  }

  /** Handles the end of a stream. */
  public void closed(Connection<DataMessage> connection, String reason, long nowNanos) {
    Link link = linkOf.get(connection);
    if (link == null) {
      if (attachDeadlines.remove(connection) != null) {
        unattached--;
      } else {
        bulkProbes.closed(connection, nowNanos);
      }
    } else if (link.dialedAddress == null && !relay.isPeerAttached(link.peer)) {
      forgetStream(link, connection);
    } else {
      failed(link, connection, "its data stream ended: " + reason, nowNanos);
    }
  }

  /**
   * Handles a data stream that has ended or was never attached. If the other agent is dead, the
   * control stream ends or becomes silent as well. Otherwise control messages show that only data
   * does not pass.
   */
  private void failed(Link link, Connection<DataMessage> data, String reason, long nowNanos) {
    boolean isFirst =
        link.dataRedialedNanos == 0 || nowNanos - link.dataRedialedNanos >= ACCIDENT_NANOS;
    link.dataRedials = isFirst ? 0 : link.dataRedials;
    int paths = link.control.paths().size();
    // With several networks, each of them is tried.
    boolean isAccident = (link.dataAttached || paths > 1) && link.dataRedials < Math.max(1, paths);
    link.dataRedials += isAccident ? 1 : 0;
    link.control.suspected();
    String dialed = link.dialedAddress;
    boolean isElsewhere =
        !link.dataAttached && dialed != null && !NetworkAddresses.contain(link.address, dialed);
    forgetStream(link, data);
    if (link.suspended) {
      endLink(link, reason, nowNanos);
    } else if (isElsewhere) {
      // A load balancer may lead each connection to a different agent.
      link.dialedAddress = link.address;
      dialIfDialer(link, nowNanos);
    } else if (isAccident && link.dialedAddress != null) {
      link.dataRedialedNanos = nowNanos;
      dialIfDialer(link, nowNanos);
    } else if (isAccident) {
      link.dataRedialedNanos = nowNanos;
      link.dataFailure = reason;
      link.dataFailedNanos = nowNanos + attachTimeoutNanos; // The other end dials until then.
    } else {
      link.dataFailure = reason;
      link.dataFailedNanos = nowNanos;
    }
  }

  /**
   * Handles a message on a link's control stream, which may show whether the link carries data.
   *
   * @return false if its statement about the data stream is impossible
   */
  public boolean controlReceived(Link link, PeerMessage message, long nowNanos) {
    String failure = link.dataFailure;
    if (failure != null && nowNanos - link.dataFailedNanos >= LATER_NANOS) {
      if (link.suspended) {
        endLink(link, failure, nowNanos);
      } else {
        links.withoutData(link, failure, nowNanos);
      }
      return true;
    }
    DataAck ack =
        message instanceof Probe probe
            ? probe.dataAck()
            : message instanceof ProbeReply reply ? reply.dataAck() : null;
    if (ack == null || link.data == null || ack.stream() != link.dataStream) {
      return true;
    }
    if (!link.dataProgress.acknowledged(ack.messages(), nowNanos)) {
      return false;
    }
    if (link.dataAttached) {
      passed(link, nowNanos);
    }
    long stalledNanos = link.dataProgress.stalledNanos();
    if (stalledNanos >= DOUBT_NANOS) {
      link.control.suspected();
    }
    if (stalledNanos >= stallNanos && !link.suspended) {
      String seconds = TimeUnit.NANOSECONDS.toSeconds(stalledNanos) + " s";
      links.withoutData(
          link, link.peer + " has received nothing on its data stream for " + seconds, nowNanos);
    }
    return true;
  }

  /** Ends a link whose data stream failed. */
  private void endLink(Link link, String reason, long nowNanos) {
    links.end(link, RefusalCause.PROTOCOL_VIOLATION, reason, nowNanos);
  }

  /** Handles the loss of a link, which ends its data stream. */
  public void linkLost(Link link, long nowNanos) {
    bulkProbes.lost(link, nowNanos);
    probationDeadlines.remove(link);
    Connection<DataMessage> data = link.data;
    if (data != null) {
      forgetStream(link, data);
    }
  }

  private void forgetStream(Link link, Connection<DataMessage> data) {
    linkOf.remove(data);
    attachDeadlines.remove(data);
    data.close();
    link.data = null;
    link.dataAttached = false;
    replies.drop(link);
    link.transfer.ended();
    relay.streamClosed(link.peer);
    services.forEach(service -> service.streamClosed(link.peer));
  }

  /** Runs the action once, when the neighbours have received all data logged so far. */
  public void prepareToLeave(Runnable handedOn) {
    departure = relay.departure();
    departed = handedOn;
    checkDeparture();
  }

  private void checkDeparture() {
    if (departure != null && departure.isOver()) {
      departure = null;
      departed.run();
    }
  }

  /** Sends Leave on all streams and closes them. */
  public void leave(long nowNanos) {
    linkOf.values().forEach(link -> replies.release(link, nowNanos));
    for (Connection<DataMessage> connection : linkOf.keySet()) {
      connection.send(new Leave());
      connection.close();
    }
    linkOf.clear();
    attachDeadlines.keySet().forEach(Connection::close);
    attachDeadlines.clear();
    bulkProbes.leave();
  }

  /**
   * Extends deadlines by a time in which this agent did not run, since answers may be waiting for
   * it.
   */
  public void paused(long gapNanos) {
    attachDeadlines.replaceAll((connection, deadlineNanos) -> deadlineNanos + gapNanos);
    probationDeadlines.replaceAll((link, deadlineNanos) -> deadlineNanos + gapNanos);
  }

  /** Runs the tasks that are due. Closes streams that were not attached in time. */
  public void tick(long nowNanos) {
    relay.tick(nowNanos);
    replies.tick(nowNanos);
    checkDeparture();
    for (TreeService service : services) {
      service.tick(nowNanos);
    }
    bulkProbes.tick(nowNanos);
    while (nextAttachDeadlineNanos() <= nowNanos) {
      Connection<DataMessage> connection = attachDeadlines.keySet().iterator().next();
      Link link = linkOf.get(connection);
      if (link == null) {
        attachDeadlines.remove(connection);
        unattached--;
        connection.close();
      } else {
        failed(link, connection, NOT_ANSWERED, nowNanos);
      }
    }
    while (nextProbationDeadlineNanos() <= nowNanos) {
      Link link = probationDeadlines.keySet().iterator().next();
      probationDeadlines.remove(link);
      if (link.isOwnedBy(self.node())) {
        link.dataFailure = NOT_ANSWERED;
        link.dataFailedNanos = nowNanos;
      }
    }
  }

  public long nextDeadlineNanos() {
    long next = Math.min(nextAttachDeadlineNanos(), bulkProbes.nextDeadlineNanos());
    next = Math.min(next, nextProbationDeadlineNanos());
    for (TreeService service : services) {
      next = Math.min(next, service.nextDeadlineNanos());
    }
    return Math.min(Math.min(next, replies.nextDeadlineNanos()), relay.nextDeadlineNanos());
  }

  private long nextProbationDeadlineNanos() {
    return probationDeadlines.isEmpty()
        ? Long.MAX_VALUE
        : probationDeadlines.values().iterator().next();
  }

  private long nextAttachDeadlineNanos() {
    return attachDeadlines.isEmpty() ? Long.MAX_VALUE : attachDeadlines.values().iterator().next();
  }

  /** Sends a message on the data stream to this neighbour, if there is one. */
  public void send(NodeId neighbour, EdgeMessage message, long nowNanos) {
    Link link = links.open(neighbour);
    if (link != null && link.data != null) {
      replies.send(link, message, nowNanos);
    }
  }

  private void sendNow(Link link, EdgeMessage message, long nowNanos) {
    Connection<DataMessage> data = Objects.requireNonNull(link.data);
    if (message instanceof EdgeMessage.Data content) {
      link.transfer.sent(content.item().cost(), content.item().unsentCost(), nowNanos);
    }
    watchBulk(link, message, nowNanos);
    link.dataProgress.sent();
    data.send(new Edge(receiptClock.sent(link, message, nowNanos)));
  }

  /** Sends a message of a service on the data stream to this neighbour, if there is one. */
  public void send(NodeId neighbour, ServiceMessage message, long nowNanos) {
    Link link = links.open(neighbour);
    if (link != null && link.data != null) {
      replies.release(link, nowNanos);
      link.traffic.carried(message.cost(), nowNanos);
      link.dataProgress.sent();
      link.data.send(message);
    }
  }

  private void watchBulk(Link link, EdgeMessage message, long nowNanos) {
    if (message instanceof EdgeMessage.Data data) {
      link.traffic.carried(data.item().cost() - data.item().unsentCost(), nowNanos);
      if (data.item().stream().channel() == Channel.UPLOADS) {
        uploading.accept(link, nowNanos);
      }
    }
  }
}
