package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscribeOptions;
import io.treecast.collectives.broadcast.contract.TopicUse;
import io.treecast.collectives.broadcast.edge.DataEdge;
import io.treecast.collectives.broadcast.edge.DataEdges;
import io.treecast.collectives.broadcast.log.Inlet;
import io.treecast.collectives.broadcast.log.LogEntry;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Digest;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.Headers;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.collectives.broadcast.message.WantedReplicas;
import io.treecast.collectives.broadcast.order.TotalOrder;
import io.treecast.collectives.broadcast.publish.LocalPublisher;
import io.treecast.collectives.broadcast.publish.PublicationWindow;
import io.treecast.collectives.broadcast.publish.Uploads;
import io.treecast.collectives.broadcast.receipt.Receipts;
import io.treecast.collectives.broadcast.receipt.Replicas;
import io.treecast.collectives.broadcast.stability.Stability;
import io.treecast.collectives.broadcast.stream.Arrivals;
import io.treecast.collectives.broadcast.stream.Streams;
import io.treecast.collectives.broadcast.subscribe.DeliveryWatch;
import io.treecast.collectives.broadcast.subscribe.LocalSubscribers;
import io.treecast.collectives.broadcast.topic.Interests;
import io.treecast.collectives.broadcast.topic.Interests.InterestState;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One node's part in broadcasting. It cuts local publishers' payloads into chunks, keeps a log of
 * the end of each {@linkplain StreamId stream}, replicates it over every active edge, and delivers
 * each stream's messages once and in order to every local subscriber.
 *
 * <p><b>Replication.</b> Each active edge is a channel on which both ends state their positions,
 * send what the other lacks, and then pass on new items as they arrive (cut-through: never waiting
 * for the rest of a message); {@link DataEdge} has the rules. An item that arrives is dropped if it
 * is here already, logged and passed on if it is next in its stream, and a violation if it is
 * beyond that. So whichever edges are active, whatever cycles they form and however often they
 * change, each member gets everything that any member connected with it has, once and in order.
 *
 * <p><b>Flow.</b> Items enter by inlets, the edges and the local publishers, and leave by outlets,
 * the edges and the local subscribers. The outlets of subscribers and of the committed tree's edges
 * hold items until they have sent them. When the last outlet has, the bytes return to the item's
 * inlet, as credit to the neighbour or room in the publish buffer. So a slow subscriber or edge
 * slows, hop by hop, every publisher that reaches it. Active edges beside the committed tree hold
 * nothing: they read from the log. {@link DataEdges} proves that there is no deadlock.
 *
 * <p><b>Memory.</b> A held item is counted by exactly one inlet, however many outlets share it: at
 * most {@code limits.edgeWindowBytes} for each neighbour's channel and once for all uploads, and
 * {@code limits.publishBufferBytes}. Other items are retained until every member has them ({@link
 * Stability}), up to {@code limits.logBytes}; then some are evicted ({@link ReplicationLog}), and
 * an outlet that lacks them passes on a {@link Gap} instead. Everything counts {@link
 * LogItem#cost()}, so empty messages are bounded too.
 *
 * <p>Single-threaded. Time enters by {@link #tick} only. Effects occur in the order of their
 * causes: an item is sent to neighbours in the order of their ids, then delivered in the order of
 * subscriptions, then its credit is granted.
 */
public final class BroadcastRelay {
  private final BroadcastLimits limits;
  private final BroadcastEffects effects;

  private final ReplicationLog log;
  private final Streams streams;
  private final Arrivals arrivals;
  private final DataEdges edges;
  private final LocalSubscribers subscribers;
  private final LocalPublisher publisher;
  private final Uploads uploads;
  private final Stability stability;
  private final Receipts receipts;
  private final Replicas replicas;
  private final TopicFlow topics;
  private final Interests interests;
  private final TotalOrder order;
  private final NeighbourMessages messages;
  private final ShortcutReceiver shortcutReceiver;

  /**
   * Creates a relay without tree, edges and subscribers.
   *
   * @param incarnation higher than at each earlier start of this node's agent
   */
  public <E extends BroadcastEffects & ApplicationEffects> BroadcastRelay(
      NodeId self, long incarnation, BroadcastLimits limits, E effects) {
    this(self, incarnation, Long.MAX_VALUE, limits, effects, effects);
  }

  /**
   * Creates a relay that forgets idle streams after the given time.
   *
   * @param forgetNanos how long a stream without a live publisher is remembered
   * @param applications receives the effects on this node's applications
   */
  public BroadcastRelay(
      NodeId self,
      long incarnation,
      long forgetNanos,
      BroadcastLimits limits,
      BroadcastEffects effects,
      ApplicationEffects applications) {
    this.limits = limits;
    this.effects = effects;
    this.log = new ReplicationLog(limits, this::mostUnstableBytes, this::evicted);
    this.edges = new DataEdges(limits, log, effects, this::digestFor);
    DeliveryWatch watch = new DeliveryWatch();
    this.order = new TotalOrder(limits, log, edges, effects, new OrderEvents());
    this.subscribers = new LocalSubscribers(self, limits, applications, watch, log, order);
    this.streams =
        new Streams(
            new StreamId(self, incarnation),
            limits,
            forgetNanos,
            log,
            edges,
            subscribers,
            new StreamEvents());
    this.arrivals = new Arrivals(log, streams, this::append, this::violated, effects::dropped);
    this.topics =
        new TopicFlow(
            limits,
            streams,
            subscribers,
            arrivals,
            edges.byNeighbour(),
            effects::send,
            this::interestChanged,
            this::begun);
    this.interests = topics.interests();
    this.stability =
        new Stability(
            new LogStability(
                limits, log, streams, subscribers, order, edges, topics, effects::send),
            limits.origins());
    this.receipts =
        new Receipts(streams, watch, subscribers, edges::isOpen, applications::confirmed, effects);
    this.replicas = new Replicas(streams, edges::isOpen, effects::send);
    this.messages =
        new NeighbourMessages(
            edges,
            streams,
            stability,
            receipts,
            replicas,
            topics,
            order,
            arrivals,
            this::violated,
            effects::violated);
    this.shortcutReceiver =
        new ShortcutReceiver(limits, edges, subscribers, arrivals, this::violated, effects);
    LocalPublisher.ChunkSink ownLog =
        (own, item, inlet) -> {
          append(own, item, inlet, null);
          shortcutReceiver.published(item);
        };
    PublicationWindow window = new PublicationWindow(streams);
    this.publisher =
        new LocalPublisher(
            limits,
            streams,
            window,
            receipts,
            replicas,
            effects::replicated,
            ownLog,
            stability::memberCount);
    this.uploads =
        new Uploads(
            limits,
            streams,
            window,
            receipts,
            replicas,
            ownLog,
            applications,
            stability::memberCount,
            stability::anyBrieflyAbsent);
  }

  private List<Digest> digestFor(NodeId neighbour, Channel channel) {
    return streams.digest(channel, topic -> interests.isReportedTo(neighbour, topic));
  }

  private void interestChanged(Predicate<String> changed) {
    stability.interestChanged(changed);
    order.update();
    receipts.check();
  }

  private void begun() {
    receipts.check();
  }

  /** The part of the log that one publisher may take. */
  private long mostUnstableBytes() {
    int members = memberCount();
    return limits.unstableShareBytes(members) + limits.uploadLoanBytes(members);
  }

  /** For components that are created before {@link #stability}. */
  private int memberCount() {
    return stability.memberCount();
  }

  // The tree and its edges.

  /**
   * Notes that this node has committed a tree. Messages published here from now on carry its
   * version. Deliveries begin with the first tree.
   *
   * @throws IllegalArgumentException if this node is not a member of the tree
   */
  public void treeCommitted(CommittedTree committed) {
    NodeId self = streams.self();
    if (!committed.hasMember(self)) {
      throw new IllegalArgumentException(
          self + " is not a member of the committed tree " + committed);
    }
    edges.hold(Channel.MESSAGES, committed.neighbours(self));
    streams.membersAre(committed.members());
    log.clearStable();
    receipts.treeCommitted(committed); // First, before the others can settle a confirmation.
    replicas.treeCommitted(committed);
    topics.treeCommitted(committed);
    stability.treeCommitted(self, committed);
    if (!subscribers.hasBegun()) {
      subscribers.firstTreeCommitted();
    }
    order.treeCommitted(self, committed);
    receipts.check();
    publisher.treeCommitted(committed.version());
    uploads.treeCommitted(committed.version());
  }

  /**
   * Sets the edges on which this node sends {@linkplain Channel#MESSAGES messages}, as far as their
   * data streams are open. It accepts items on other edges until their other ends detach, too.
   *
   * @param neighbours the ends of the committed tree's edges, and of others that carry data until
   *     the next commit
   */
  public void activeEdges(SortedSet<NodeId> neighbours) {
    edges.activate(Channel.MESSAGES, neighbours);
    topics.edgesChanged();
  }

  /**
   * Sets the edges on which this node sends {@linkplain Channel#UPLOADS uploads}; they may differ
   * from those of messages.
   *
   * @param neighbours must keep all members connected, even while some have not received the latest
   *     tree
   * @param held the neighbours whose slowness holds back uploads. A walk from member to member
   *     along held edges that never turns back must not visit a member twice
   */
  public void uploadEdges(SortedSet<NodeId> neighbours, Set<NodeId> held) {
    edges.hold(Channel.UPLOADS, held);
    edges.activate(Channel.UPLOADS, neighbours);
  }

  /**
   * Notes that the data stream to a neighbour is up: frames can be sent, none has been received.
   * Each end grants its window as its first credit, and sends no items before it has the other's.
   *
   * @param incarnation of the neighbour's agent; content that it publishes itself is not sent to it
   * @throws IllegalStateException if it is open already
   */
  public void streamOpened(NodeId neighbour, long incarnation) {
    edges.opened(neighbour, incarnation);
    stability.opened(neighbour);
    receipts.opened(neighbour);
    replicas.opened(neighbour);
    topics.edgesChanged();
    order.opened(neighbour);
  }

  /**
   * Notes that the data stream to a neighbour is down, for whatever reason. If the edge is active,
   * the next stream carries the content that the neighbour then lacks. No effect if it was not
   * open.
   */
  public void streamClosed(NodeId neighbour) {
    if (edges.isOpen(neighbour)) {
      closed(neighbour);
      edges.removeIdle();
    }
  }

  /**
   * Returns whether the open data stream to a neighbour is of no use: neither this end nor, as far
   * as known here, the other end sends on it. The end that dialed it then closes it.
   */
  public boolean isDetached(NodeId neighbour) {
    return edges.isDetached(neighbour);
  }

  /**
   * Returns whether the neighbour sends items on the open data stream. If it dialed that stream and
   * does not send, the stream's end is not a fault.
   */
  public boolean isPeerAttached(NodeId neighbour) {
    return edges.isPeerAttached(neighbour);
  }

  private void evicted(LogEntry entry) {
    edges.evicted(entry);
    subscribers.forEach(subscriber -> subscriber.outlet().evicted(entry));
    order.evicted(entry);
  }

  // Messages of neighbours.

  /** Handles a message that a neighbour sent on the data stream. */
  public void received(NodeId neighbour, EdgeMessage message) {
    messages.received(neighbour, message);
  }

  /**
   * Handles a message that its origin sent over a link beside the tree: {@link
   * BroadcastEffects#maySendByShortcut}. The origin need not be a neighbour, and may be in another
   * tree.
   */
  public void receivedByShortcut(NodeId origin, Chunk message) {
    shortcutReceiver.received(origin, message);
  }

  /** Logs the next item of a stream, and puts it on every outlet whose other side lacks it. */
  private void append(StreamLog stream, LogItem item, Inlet inlet, @Nullable NodeId from) {
    receipts.logs(item, from);
    subscribers.resume(stream);
    topics.logs(stream.id().topic());
    LogEntry entry = log.append(stream, item, inlet);
    streams.grew(stream);
    edges.put(entry);
    subscribers.forEach(subscriber -> subscriber.outlet().put(entry));
    order.logged(entry);
    entry.release();
    stability.logged(stream, item);
    receipts.checkAdvanced();
    replicas.logged(item, from);
  }

  private void violated(NodeId neighbour, String reason) {
    closed(neighbour);
    effects.violated(neighbour, reason);
  }

  private void closed(NodeId neighbour) {
    edges.closed(neighbour);
    arrivals.closed(neighbour);
    stability.closed(neighbour);
    interests.closed(neighbour);
    order.closed(neighbour);
  }

  // Local publishers and subscribers.

  /**
   * Returns whether local publishers use the topic, so that it has a place within {@code
   * limits.topics}.
   */
  public boolean publishesOn(String topic) {
    return streams.publishesOn(topic);
  }

  /** Returns whether any member of the committed tree, this one included, wants the topic. */
  public InterestState interest(String topic) {
    return topics.interest(topic);
  }

  /** The topics that are in use here, by name. Every neighbour wants the default topic. */
  public List<TopicUse> topicsInUse() {
    SortedMap<String, Integer> subscriptions = subscribers.subscriptions();
    SortedSet<String> published = new TreeSet<>();
    streams.own().stream()
        .filter(stream -> stream.lastNumber() > 0)
        .forEach(stream -> published.add(stream.id().topic()));
    SortedMap<String, SortedSet<NodeId>> wantedBy = new TreeMap<>();
    for (NodeId neighbour : interests.treeNeighbours()) {
      for (String name : interests.reportedTopics(neighbour)) {
        String topic = Topic.isOrder(name) ? Topic.ofOrder(name) : name;
        wantedBy.computeIfAbsent(topic, unused -> new TreeSet<>()).add(neighbour);
      }
      for (String selection : topics.selections()) {
        if (interests.interest(neighbour, selection) == InterestState.YES) {
          wantedBy.computeIfAbsent(selection, unused -> new TreeSet<>()).add(neighbour);
        }
      }
      wantedBy.computeIfAbsent(Topic.DEFAULT, unused -> new TreeSet<>()).add(neighbour);
    }
    SortedSet<String> all = new TreeSet<>(subscriptions.keySet());
    all.addAll(published);
    all.addAll(wantedBy.keySet());
    return all.stream()
        .map(
            topic ->
                new TopicUse(
                    topic,
                    subscriptions.getOrDefault(topic, 0),
                    published.contains(topic),
                    wantedBy.getOrDefault(topic, Collections.emptySortedSet())))
        .toList();
  }

  /** Broadcasts on the default topic, without requesting receipts. */
  public MessageId publish(ByteBuffer payload) throws BroadcastRefusedException {
    return publish(Topic.DEFAULT, payload, 0, null);
  }

  /**
   * Broadcasts a payload to every subscriber of the topic, those of this node included. When this
   * returns, its chunks are logged: they reach every member that stays connected, whatever happens
   * to the tree, as long as this agent lives or another member has them.
   *
   * @param topic {@link Topic#DEFAULT}, or a name; the payload is sent to where the topic is wanted
   * @param payload not copied, its position not moved: the caller must not write to its memory
   *     again
   * @param receiptMillis how long members may take to report delivery, until {@link
   *     ApplicationEffects#confirmed} gives the outcome, perhaps before this returns; 0 to request
   *     no receipts
   * @param crc32c checksum of the payload, verified by its receivers; null if it is not known
   * @throws BroadcastRefusedException PAYLOAD_TOO_LARGE, NO_TREE, PUBLISH_BUFFER_FULL,
   *     TOO_MANY_CONFIRMATIONS or TOO_MANY_TOPICS
   * @throws IllegalArgumentException if the topic's name is not {@linkplain Topic#checked allowed},
   *     or {@code receiptMillis} is {@linkplain Chunk#checkReceiptMillis not allowed} with it
   */
  public MessageId publish(
      String topic, ByteBuffer payload, int receiptMillis, @Nullable Integer crc32c)
      throws BroadcastRefusedException {
    return publish(topic, payload, receiptMillis, crc32c, WantedReplicas.NONE);
  }

  /** Broadcasts a payload without headers. */
  public MessageId publish(
      String topic,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      WantedReplicas wanted)
      throws BroadcastRefusedException {
    return publish(topic, payload, receiptMillis, crc32c, wanted, Headers.NONE);
  }

  /**
   * Broadcasts a payload whose publisher waits until other members have it.
   *
   * @param wanted how many members; {@link BroadcastEffects#replicated} reports how many have it,
   *     if any are wanted, after this has returned
   * @param headers the headers of the broadcast
   */
  public MessageId publish(
      String topic,
      ByteBuffer payload,
      int receiptMillis,
      @Nullable Integer crc32c,
      WantedReplicas wanted,
      Headers headers)
      throws BroadcastRefusedException {
    return publisher.publish(topic, payload, receiptMillis, crc32c, wanted, headers);
  }

  /** Ends the wait for replicas: reports the present number to each publisher. */
  public void settleReplicas() {
    replicas.settleAll();
  }

  /** Returns the local publisher, which knows whether there is room to publish. */
  public LocalPublisher publisher() {
    return publisher;
  }

  /** Returns the broadcasts of local publishers whose payloads arrive piece by piece. */
  public Uploads uploads() {
    return uploads;
  }

  /**
   * Returns the present knowledge about the delivery of a message, for its publisher; null if it
   * was not published here, requests no receipts, or is not among the latest that did. A settled
   * confirmation that was never queried counts among the awaited ones for half a minute.
   */
  public @Nullable Confirmation confirmation(MessageId message) {
    return receipts.confirmation(message);
  }

  /**
   * Adds a local subscriber. Its subscription begins when this node has a tree and every member of
   * it has stated where the streams of its topics end, and so knows the topics. A subscriber to the
   * default topic gets everything published under that tree that was not here when it was added. A
   * subscription after positions does not wait for members.
   *
   * @param subscriber the driver's name for it, not in use
   * @param options if they name more than twice {@code limits.origins} streams, the streams that
   *     are unknown here and began first count as new streams
   * @throws BroadcastRefusedException TOO_MANY_SUBSCRIBERS, TOO_MANY_TOPICS, or NOT_A_POSITION if
   *     it starts after a message of this node that was never published
   * @throws IllegalArgumentException if there is a subscriber of that name
   */
  public void subscribe(long subscriber, SubscribeOptions options)
      throws BroadcastRefusedException {
    topics.subscribe(subscriber, streams.claims().checked(options));
  }

  /**
   * Removes a local subscriber and everything that waits for it. No effect if there is no
   * subscriber of that name.
   */
  public void unsubscribe(long subscriber) {
    topics.unsubscribe(subscriber);
    receipts.check();
  }

  /**
   * Notes that a subscriber has consumed deliveries, and may get as much again. No effect if there
   * is no subscriber of that name, since it may just have been removed.
   *
   * @param bytes the sum of the chunks' and gaps' {@link LogItem#cost()}
   * @throws IllegalArgumentException if that is negative, or more than was delivered and not
   *     consumed
   */
  public void consumed(long subscriber, long bytes) {
    subscribers.consumed(subscriber, bytes);
    receipts.checkAdvanced();
  }

  /**
   * Sets the round trip of the link to a neighbour. The neighbour's window for uploads grows with
   * it and with the rate at which items arrive. No effect without a data stream.
   */
  public void roundTrip(NodeId neighbour, long nanos) {
    edges.roundTrip(neighbour, nanos);
  }

  /** Returns when {@link #tick} is due unless an event comes before; MAX_VALUE for never. */
  public long nextDeadlineNanos() {
    long next = Math.min(streams.nextDeadlineNanos(), stability.nextDeadlineNanos());
    next = Math.min(next, receipts.nextDeadlineNanos());
    next = Math.min(next, replicas.nextDeadlineNanos());
    next = Math.min(next, subscribers.nextDeadlineNanos());
    return Math.min(next, uploads.nextDeadlineNanos());
  }

  /**
   * Advances time. Must be called when due, and before other calls that follow a longer silence.
   */
  public void tick(long nowNanos) {
    arrivals.tick(nowNanos);
    subscribers.tick(nowNanos);
    streams.tick(nowNanos);
    edges.tick(nowNanos);
    boolean mightMeetOthers = stability.mayRejoinOthers();
    stability.tick(nowNanos);
    if (mightMeetOthers && !stability.mayRejoinOthers()) {
      order.update();
    }
    receipts.tick(nowNanos);
    replicas.tick(nowNanos);
    publisher.tick(nowNanos);
    uploads.tick(nowNanos);
  }

  private final class StreamEvents implements Streams.StreamContext {
    @Override
    public InterestState interest(String topic) {
      return topics.interest(topic);
    }

    @Override
    public boolean isUploading(StreamId lane) {
      return uploads.isOn(lane);
    }

    @Override
    public void restarted(NodeId origin) {
      receipts.restarted(origin);
    }

    @Override
    public void recalled(StreamId stream) {
      stability.grew(stream);
      order.recalled(stream);
    }

    @Override
    public void forgotten(StreamLog stream) {
      stability.forget(stream.id());
      receipts.forget(stream.id());
      replicas.forget(stream.id());
      interests.forget(stream.id());
      order.forget(stream.id());
    }

    @Override
    public void missed(StreamLog left, boolean byNeighbours) {
      order.missed(left, byNeighbours);
      stability.missed(left);
      receipts.checkAdvanced();
    }

    @Override
    public void unremembered() {
      edges.byNeighbour().keySet().stream().filter(edges::isOpen).forEach(arrivals::lost);
    }

    @Override
    public void incarnationsLearnt(NodeId from, List<StreamPosition> incarnations) {
      topics.forwardToOthers(from, new Digest(Channel.MESSAGES, incarnations, false));
    }
  }

  private final class OrderEvents implements TotalOrder.OrderContext {
    @Override
    public Interests interests() {
      return interests;
    }

    @Override
    public void advanced(StreamId stream) {
      stability.handedOver(stream);
    }

    @Override
    public void caughtUp() {
      subscribers.readerAdvanced();
    }

    @Override
    public boolean mayRejoinOthers() {
      return stability.mayRejoinOthers();
    }
  }

  /** Begins the departure of this member, and returns its obligations. */
  public Departure departure() {
    return new Departure(
        edges,
        log,
        streams,
        uploads,
        () -> stability.memberCount() > 1 || stability.awaitsAbsent());
  }

  /** Returns the counters of the work done and of the memory in use. */
  public BroadcastCounters counters() {
    return BroadcastCounters.of(
        publisher,
        uploads,
        subscribers,
        edges,
        arrivals,
        shortcutReceiver,
        receipts,
        replicas,
        order,
        log);
  }

  /** Returns the position of each known stream here, in the order of their ids. */
  public List<StreamPosition> positions() {
    return log.streams().stream().map(s -> new StreamPosition(s.id(), s.next())).toList();
  }
}
