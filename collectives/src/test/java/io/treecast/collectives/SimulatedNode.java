package io.treecast.collectives;

import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One start of a node: its relay, its ends of links, its audience; checks its bounds. */
final class SimulatedNode implements BroadcastEffects {
  final NodeId id;
  final long incarnation;
  final BroadcastRelay relay;

  /** By the names of their subscriptions. */
  final TreeMap<Long, Audience> audience = new TreeMap<>();

  /** The links that live as far as this node knows. */
  final Map<NodeId, SimulatedLink> links = new TreeMap<>();

  /** The neighbours that it will be told to send to, once it gets to it. */
  @Nullable SortedSet<NodeId> wanted;

  /** The tree that it will commit, once it gets to it. */
  @Nullable CommittedTree next;

  @Nullable CommittedTree tree;
  long firstVersion;
  SortedSet<NodeId> active = new TreeSet<>();

  private final BroadcastLimits limits;
  private final int peers;
  private long lastName;

  SimulatedNode(NodeId id, long incarnation, BroadcastLimits limits, int peers) {
    this.id = id;
    this.incarnation = incarnation;
    this.limits = limits;
    this.peers = peers;
    this.relay = new BroadcastRelay(id, incarnation, limits, this);
  }

  void commit(CommittedTree committed) {
    if (tree == null) {
      firstVersion = committed.version();
    }
    tree = committed;
    relay.treeCommitted(committed);
  }

  /** Sends on those of the neighbours that it has a link with. */
  void activate(SortedSet<NodeId> neighbours) {
    active = new TreeSet<>(neighbours);
    active.retainAll(links.keySet());
    relay.activeEdges(active);
    for (NodeId neighbour : List.copyOf(active)) {
      SimulatedLink link = links.get(neighbour);
      if (link != null) {
        link.dialIfNeeded(this);
      }
    }
    links.values().forEach(link -> link.closeIfDetached(this));
  }

  void lost(SimulatedLink link) {
    NodeId peer = link.peerOf(id);
    links.remove(peer, link);
    relay.streamClosed(peer);
    if (active.remove(peer)) {
      relay.activeEdges(active);
    }
  }

  void subscribe(Audience subscriber) {
    audience.put(++lastName, subscriber);
    try {
      relay.subscribe(lastName, subscriber.options());
    } catch (BroadcastRefusedException refusal) {
      throw new AssertionError(refusal);
    }
  }

  boolean publish(byte[] payload, Published published) {
    try {
      // The content is looked up by deliveries within the call.
      published.add(
          new MessageId(id, incarnation, nextSequence()),
          payload,
          tree == null ? 0 : tree.version());
      MessageId message = relay.publish(ByteBuffer.wrap(payload));
      if (message.sequence() + 1 != nextSequence()) {
        throw new AssertionError(message + " is not in its place");
      }
      return true;
    } catch (BroadcastRefusedException refusal) {
      published.takeBack(new StreamId(id, incarnation));
      return false;
    }
  }

  private long nextSequence() {
    StreamId own = new StreamId(id, incarnation);
    for (StreamPosition position : relay.positions()) {
      if (position.stream().equals(own)) {
        return position.next().sequence();
      }
    }
    return 1;
  }

  @Override
  public void send(NodeId neighbour, EdgeMessage message) {
    SimulatedLink link = links.get(neighbour);
    if (link == null) {
      throw new AssertionError(id + " sends to " + neighbour + " without a link: " + message);
    }
    link.send(this, message);
  }

  @Override
  public void deliver(long subscriber, Chunk chunk) {
    audience(subscriber).deliver(chunk);
  }

  @Override
  public void began(long subscriber, long sinceVersion, List<MessageId> after) {
    audience(subscriber).began(sinceVersion, after, relay.positions());
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
  }

  @Override
  public void abandoned(long subscriber, MessageId message) {
    audience(subscriber).abandoned(message);
  }

  @Override
  public void violated(NodeId neighbour, String reason) {
    throw new AssertionError(id + " says that " + neighbour + " broke the protocol: " + reason);
  }

  /** The bounds that a relay promises. */
  void assertWithinBounds() {
    BroadcastCounters counters = relay.counters();
    long edges =
        Math.min(
            peers * limits.edgeWindowBytes(),
            limits.edgesBytes() + peers * Chunk.cost(limits.chunkBytes()));
    long bound = limits.publishBufferBytes() + edges;
    if (counters.waitingBytes() < 0
        || counters.waitingBytes() > bound
        || counters.retainedBytes() < 0
        || counters.retainedBytes() > limits.logBytes()) {
      throw new AssertionError(id + " exceeds its bounds: " + counters);
    }
  }
}
