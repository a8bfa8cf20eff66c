package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.broadcast.contract.BroadcastEffects;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.contract.SubscriptionStart;
import io.treecast.collectives.broadcast.message.Channel;
import io.treecast.collectives.broadcast.message.Chunk;
import io.treecast.collectives.broadcast.message.Confirmation;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.OrderPosition;
import io.treecast.collectives.broadcast.message.Position;
import io.treecast.collectives.broadcast.message.StreamId;
import io.treecast.collectives.broadcast.message.StreamPosition;
import io.treecast.collectives.broadcast.message.Topic;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One incarnation of a node: its relay, its ends of links, its audience; checks its bounds. */
final class SimulatedNode implements BroadcastEffects, ApplicationEffects {
  final NodeId id;
  final long incarnation;
  final BroadcastRelay relay;

  /** By the names of their subscriptions. */
  final TreeMap<Long, Audience> audience = new TreeMap<>();

  /** The links that live as far as this node knows. */
  final Map<NodeId, SimulatedLink> links = new TreeMap<>();

  final SimulatedEdges messageEdges;
  final SimulatedEdges uploadEdges;

  /** The tree that it will commit, once it learns it. */
  @Nullable CommittedTree next;

  @Nullable CommittedTree tree;

  /** By subscriber. */
  private final Map<Long, HandedOver> handedOver = new TreeMap<>();

  private final Set<MessageId> missed = new HashSet<>();

  /** The furthest positions that streams ever had here, including forgotten ones. */
  final EverHad everHad = new EverHad();

  final LeftBehind leftBehind = new LeftBehind();

  /** The messages that it published with a request for receipts. */
  final List<MessageId> asking = new ArrayList<>();

  /** The open uploads here, by name. */
  final TreeMap<Long, SimulatedUpload> uploads = new TreeMap<>();

  /** The streams that it had published on topics that it has forgotten. */
  private final Set<StreamId> over = new TreeSet<>();

  private long nextUpload;

  /** The cost of all messages that it published whole. */
  private long publishedCost;

  private final Consumer<Confirmation> confirmed;
  private final SimulatedShortcuts shortcuts;
  private final BroadcastLimits limits;
  private final int peers;

  /** So long that what comes in one of them is more than a window. */
  private static final long ROUND_TRIP_NANOS = 60_000_000_000L;

  final GrantedWindows windows;

  private long lastName;
  private boolean beginsWithTree;

  SimulatedNode(
      NodeId id,
      long incarnation,
      BroadcastLimits limits,
      int peers,
      Consumer<Confirmation> confirmed,
      SimulatedShortcuts shortcuts) {
    this.id = id;
    this.incarnation = incarnation;
    this.limits = limits;
    this.peers = peers;
    this.confirmed = confirmed;
    this.shortcuts = shortcuts;
    this.windows = new GrantedWindows(id, limits);
    this.relay = new BroadcastRelay(id, incarnation, Forgetting.FORGET_NANOS, limits, this, this);
    this.messageEdges =
        new SimulatedEdges(links.keySet(), (active, held) -> relay.activeEdges(active));
    this.uploadEdges = new SimulatedEdges(links.keySet(), relay::uploadEdges);
  }

  void commit(CommittedTree committed) {
    beginsWithTree = tree == null;
    tree = committed;
    relay.treeCommitted(committed);
    beginsWithTree = false;
  }

  /** Opens the data streams that it needs, and closes the others. */
  private void adjustStreams() {
    TreeSet<NodeId> active = new TreeSet<>(messageEdges.active());
    active.addAll(uploadEdges.active());
    links.keySet().stream().filter(uploadEdges::expects).forEach(active::add);
    for (NodeId neighbour : active) {
      SimulatedLink link = links.get(neighbour);
      if (link != null) {
        link.dialIfNeeded(this);
      }
    }
    links.values().forEach(link -> link.closeIfDetached(this));
  }

  /** Notes that a data stream to a neighbour is up. */
  void opened(SimulatedNode peer) {
    windows.ended(peer.id);
    relay.streamOpened(peer.id, peer.incarnation);
  }

  void received(NodeId peer, EdgeMessage message) {
    windows.received(peer, message);
    relay.roundTrip(peer, ROUND_TRIP_NANOS);
    relay.received(peer, message);
    everHad.received(message, relay::counters);
  }

  void closed(NodeId peer) {
    windows.ended(peer);
    relay.streamClosed(peer);
  }

  void lost(SimulatedLink link) {
    NodeId peer = link.peerOf(id);
    links.remove(peer, link);
    closed(peer);
    messageEdges.lost(peer);
    uploadEdges.lost(peer);
  }

  void subscribe(Audience subscriber) {
    audience.put(++lastName, subscriber);
    subscriber.at(id);
    try {
      relay.subscribe(lastName, subscriber.options());
    } catch (BroadcastRefusedException refusal) {
      throw new AssertionError(refusal);
    }
  }

  Audience unsubscribe(long name) {
    Audience removed = Objects.requireNonNull(audience.remove(name));
    leftBehind.add(handedOver.get(name), removed, relay.positions());
    relay.unsubscribe(name);
    return removed;
  }

  /** Returns whether a subscriber of this node wants the topic. */
  boolean wants(String topic) {
    return topic.equals(Topic.DEFAULT)
        || Topic.names(topic, id)
        || audience.values().stream().anyMatch(a -> a.options().topics().contains(topic));
  }

  /** Returns whether a subscriber of this node wants the order of the topic. */
  boolean orderInterest(String topic) {
    return audience.values().stream()
        .map(Audience::options)
        .anyMatch(options -> options.inTotalOrder() && options.topics().contains(topic));
  }

  boolean publish(String topic, byte[] payload, int receiptMillis, Published published) {
    publishedCost += limits.costOfPayload(payload.length);
    try {
      // Deliveries look up the content within the call.
      published.begin(payload, tree == null ? 0 : tree.version());
      MessageId message = relay.publish(topic, ByteBuffer.wrap(payload), receiptMillis, null);
      published.name(message);
      if (message.sequence() + 1
          != positions().getOrDefault(message.stream(), Position.START).sequence()) {
        throw new AssertionError(message + " is not in its place");
      }
      if (receiptMillis > 0) {
        asking.add(message);
      }
      assertWithinBounds();
      return true;
    } catch (BroadcastRefusedException refusal) {
      published.refused();
      return false;
    }
  }

  /** Begins an upload of the given size, unless the node has too many uploads or no tree. */
  boolean beginUpload(
      String topic, int bytes, int receiptMillis, Random random, Published published) {
    byte[] payload = new byte[bytes];
    random.nextBytes(payload);
    long name = nextUpload++;
    try {
      MessageId message = relay.uploads().begin(name, topic, receiptMillis);
      published.add(message, payload, tree == null ? 0 : tree.version());
      boolean asks = receiptMillis > 0;
      uploads.put(
          name, new SimulatedUpload(relay.uploads(), name, message, payload, asks, published));
      return true;
    } catch (BroadcastRefusedException refusal) {
      return false;
    }
  }

  /** Sets whether this node has the loan. */
  void borrow(boolean isBorrower) {
    relay.uploads().borrow(isBorrower);
    assertWithinBounds();
  }

  /** Continues or abandons an upload, if there is one that can move. */
  boolean upload(Random random, Published published, RunCoverage coverage) {
    for (SimulatedUpload upload : List.copyOf(uploads.values())) {
      boolean isAbandoned = random.nextInt(60) == 0;
      if (isAbandoned) {
        abandon(upload, published);
        coverage.count("upload given up");
      }
      if (isAbandoned || upload.proceed(random)) {
        assertWithinBounds();
        return true;
      }
    }
    return false;
  }

  /** Lets the publisher abandon an upload. */
  private void abandon(SimulatedUpload upload, Published published) {
    MessageId message = upload.message();
    uploads.remove(upload.name());
    upload.abandon();
    Position begin = new Position(message.sequence(), 0);
    if (begin.equals(positions().getOrDefault(message.stream(), Position.START))) {
      published.takeBack(message.stream()); // No member has heard of it.
    }
  }

  /** Returns whether all uploads that began here are logged to their ends. */
  boolean hasNoUpload() {
    StreamId own = new StreamId(id, incarnation);
    return uploads.isEmpty()
        && relay.positions().stream()
            .noneMatch(p -> p.stream().publisher().equals(own) && p.next().insideMessage());
  }

  /** Returns the positions of the streams here that are beyond their beginning. */
  Map<StreamId, Position> positions() {
    Map<StreamId, Position> positions = new TreeMap<>();
    for (StreamPosition position : relay.positions()) {
      if (Position.START.isBefore(position.next())) {
        positions.put(position.stream(), position.next());
      }
    }
    return positions;
  }

  /** Asserts that it has the furthest content of the topics that it wants. */
  void assertHasWhatItWants(Map<StreamId, Position> furthest) {
    Map<StreamId, Position> has = everHad.withGone(relay.positions());
    Map<StreamId, Position> due = new TreeMap<>(furthest);
    has.keySet().removeIf(stream -> !wants(stream.topic()) || !due.containsKey(stream));
    due.keySet().removeIf(stream -> !wants(stream.topic()));
    if (!has.equals(due)) {
      throw new AssertionError(id + " has " + has + ", others have " + due);
    }
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    SimulatedLink link = links.get(neighbour);
    if (link == null) {
      throw new AssertionError(id + " sends to " + neighbour + " without a link: " + message);
    }
    if (message instanceof EdgeMessage.Credit credit) {
      windows.granted(neighbour, credit);
    }
    link.send(this, message);
  }

  @Override
  public void maySendByShortcut(Chunk message) {
    shortcuts.maySendByShortcut(this, message);
  }

  @Override
  public void deliver(long subscriber, Chunk chunk, @Nullable OrderPosition position) {
    audience(subscriber).deliver(chunk, position);
    Objects.requireNonNull(handedOver.get(subscriber)).add(chunk);
  }

  @Override
  public void began(long subscriber, List<MessageId> after) {
    Audience audience = audience(subscriber);
    List<MessageId> before =
        audience.options().start() instanceof SubscriptionStart.After start
            ? start.messages()
            : after;
    handedOver.put(subscriber, new HandedOver(id, audience.options(), before, delivered()));
    long treeVersion = Objects.requireNonNull(tree).version();
    audience.began(treeVersion, after, relay.positions(), everHad.positions());
  }

  /** The messages that all begun subscribers have; none while the first tree is committed. */
  private Set<MessageId> delivered() {
    Set<MessageId> delivered = new HashSet<>();
    for (StreamPosition position : beginsWithTree ? List.<StreamPosition>of() : relay.positions()) {
      StreamId stream = position.stream();
      for (long sequence = 1; sequence < position.next().sequence(); sequence++) {
        MessageId message = new MessageId(stream, sequence);
        if (hasDelivered(message)) {
          delivered.add(message);
        }
      }
    }
    return delivered;
  }

  private Audience audience(long subscriber) {
    return Objects.requireNonNull(audience.get(subscriber));
  }

  @Override
  public void live(long subscriber) {
    audience(subscriber).live();
  }

  @Override
  public void missed(long subscriber, Gap gap, MissedReason reason) {
    audience(subscriber).missed(gap, reason);
    for (long sequence = gap.firstMissed(); sequence <= gap.lastMissed(); sequence++) {
      missed.add(new MessageId(gap.stream(), sequence));
    }
  }

  @Override
  public void fellBehind(long subscriber) {}

  @Override
  public void abandoned(long subscriber, MessageId message) {
    audience(subscriber).abandoned(message);
  }

  @Override
  public void confirmed(Confirmation confirmation) {
    confirmed.accept(confirmation);
  }

  /**
   * Returns whether a subscriber had all of a message, and none, perhaps gone since, missed any.
   */
  boolean handedOverToAll(MessageId message) {
    return !missed.contains(message) && !leftBehind.perhaps(message) && handedOver(message);
  }

  /** Returns whether any of its subscribers had all of a message. */
  boolean handedOver(MessageId message) {
    return handedOver.values().stream().anyMatch(to -> to.has(message));
  }

  /** Returns whether each of its entitled subscribers has all of a message. */
  boolean hasDelivered(MessageId message) {
    return tree != null
        && has(message)
        && audience.keySet().stream()
            .map(handedOver::get)
            .allMatch(to -> to == null || to.hasWhatIsDue(message));
  }

  private boolean has(MessageId message) {
    everHad.add(relay.positions());
    return everHad.has(message);
  }

  @Override
  public void uploadTaken(long upload, int pieces) {
    SimulatedUpload taken = uploads.get(upload);
    if (taken != null) {
      taken.taken(pieces);
    }
  }

  @Override
  public void replicated(MessageId message, int replicas) {
    throw new AssertionError(id + " was asked for no replicas of " + message);
  }

  @Override
  public void uploadEnded(long upload, int replicas) {
    SimulatedUpload ended = uploads.remove(upload);
    if (ended == null || !ended.isWhole()) {
      throw new AssertionError(id + " says that upload " + upload + " has ended");
    }
    if (ended.asksForReceipts()) {
      asking.add(ended.message());
    }
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    throw new AssertionError(id + " says that " + neighbour + " broke the protocol: " + reason);
  }

  @Override
  public void dropped(NodeId neighbour, LogItem item) {}

  /** Advances time. */
  void tick(long nowNanos) {
    Map<StreamId, Position> before = everHad.with(relay.positions());
    relay.tick(nowNanos);
    StreamId own = new StreamId(id, incarnation);
    before.keySet().stream()
        .filter(s -> s.publisher().equals(own) && !positions().containsKey(s))
        .forEach(over::add);
    assertWithinBounds();
  }

  /** Lets a subscriber handle an event, if there is one that can. */
  boolean consume(Random random) {
    List<Long> names = new ArrayList<>(audience.keySet());
    Collections.rotate(names, random.nextInt(Math.max(1, names.size())));
    for (long name : names) {
      Audience subscriber = audience(name);
      if (subscriber.hasUnconsumed()) {
        relay.consumed(name, subscriber.consume());
        assertWithinBounds();
        return true;
      }
    }
    return false;
  }

  /** Asserts at the end that only messages are left whose rest is nowhere, and no report is due. */
  void assertRetainsWhatItMay(long nowNanos) {
    long retainedBytes = relay.counters().retainedBytes();
    long incomplete = relay.positions().stream().filter(p -> p.next().insideMessage()).count();
    long most = limits.retainedBytes() + incomplete * limits.costOfPayload(limits.payloadBytes());
    if (retainedBytes > most) {
      throw new AssertionError(
          id + " retains " + retainedBytes + " bytes; incomplete are " + incomplete);
    }
    if (relay.nextDeadlineNanos() <= nowNanos) {
      throw new AssertionError(id + " has more to tell, though all is at rest");
    }
  }

  /**
   * Asserts the bounds that a relay promises: for the waiting bytes, and for their sum with the
   * bytes that neighbours may still send.
   */
  void assertWithinBounds() {
    BroadcastCounters counters = relay.counters();
    everHad.add(relay.positions());
    long channels = (long) Channel.values().length * peers;
    long memory = limits.edgesBytes() + channels * Chunk.cost(limits.chunkBytes());
    long published = Math.min(limits.publishBufferBytes(), publishedCost);
    long uploaded = nextUpload == 0 ? 0 : limits.edgeWindowBytes();
    if (counters.waitingBytes() < 0
        || counters.waitingBytes() > published + uploaded + windows.mostWaitingBytes()
        || counters.waitingBytes() + windows.creditBytes() > published + uploaded + memory
        || counters.retainedBytes() < 0
        || counters.retainedBytes() > limits.logBytes()) {
      throw new AssertionError(id + " exceeds its bounds: " + counters);
    }
  }

  /** Lets it learn its next edges or tree; returns false if there are none. */
  boolean learn() {
    if (messageEdges.learn() || uploadEdges.learn()) {
      adjustStreams();
      return true;
    }
    if (next != null) {
      commit(next);
      next = null;
      return true;
    }
    return false;
  }

  /** Advances time, if something is due. */
  boolean tickIfDue(long nanos) {
    if (relay.nextDeadlineNanos() > nanos) {
      return false;
    }
    tick(nanos);
    return true;
  }

  /**
   * Returns the furthest position of any of the nodes in each stream, except for streams that their
   * origins forgot.
   */
  static Map<StreamId, Position> furthest(Collection<SimulatedNode> nodes) {
    Map<StreamId, Position> furthest = new TreeMap<>();
    for (SimulatedNode node : nodes) {
      node.positions()
          .forEach((id, next) -> furthest.merge(id, next, (a, b) -> a.isBefore(b) ? b : a));
    }
    nodes.forEach(node -> furthest.keySet().removeAll(node.over));
    return furthest;
  }

  void assertAtRest() {
    if (relay.counters().waitingBytes() != 0) {
      throw new AssertionError(id + " is not at rest: " + relay.counters());
    }
  }
}
