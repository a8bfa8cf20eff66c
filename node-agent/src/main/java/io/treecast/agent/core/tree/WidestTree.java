package io.treecast.agent.core.tree;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.contract.UploadEdges;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.ThroughputUpdate;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.TreeMetric;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.mst.AdaptiveTree;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.NodePhase;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drives a second automaton, of the tree by throughput, over the links of the first tree's
 * automaton, and chooses the edges that uploads use.
 *
 * <p>The owner of a link announces its throughput once the link is in the first automaton. When the
 * other end has echoed the announcement, the link is up in this tree. Agents that do not measure
 * throughput send no echo, and so are not in this tree. Later the owner announces changes of more
 * than two steps ({@link BandwidthWeight}).
 *
 * <p><b>Uploads</b> use this tree. An agent without such a tree sends uploads along the edges of
 * the first tree; an agent in it also sends them along its first-tree edges to neighbours outside
 * of it. So edges that carry uploads connect all members: its own edges within each widest tree,
 * and edges of the first tree between widest trees.
 *
 * <p>If a {@linkplain UploadRing ring} is faster, uploads use it instead.
 *
 * <p>Backpressure must not form a cycle. A member of a widest tree does not wait for members
 * outside of it, since several edges may lead to them; the logs retain data until it is known to be
 * at all members. A member without a widest tree waits for its neighbours in the first tree. So a
 * chain of waiting members follows the first tree, may enter a widest tree, and does not leave it.
 */
public final class WidestTree {
  /**
   * The interval at which an owner checks its links for announcements, so that they come in
   * batches.
   */
  private static final long LOOK_NANOS = 2_000_000_000L;

  private final NodeId self;
  private final long incarnation;
  private final boolean enabled;
  private final Links links;
  private final TreeDriver latency;
  private final AdaptiveTree automaton;
  private final TreeMap<NodeId, AnnouncedThroughput> announced = new TreeMap<>();
  private long nextLookNanos = Long.MAX_VALUE;
  private @Nullable NodeId parent;
  private UploadEdges uploadEdges = new UploadEdges(new TreeSet<>(), Set.of(), Set.of());
  private final UploadRing ring;

  /** Whether an event may have changed the edges of uploads. */
  private boolean uploadEdgesMayHaveChanged;

  /**
   * Whether the link of an upload edge was lost, so that its data stream must be reopened or the
   * edge dropped.
   */
  private boolean lostAny;

  /** The last announcement about a link in its present session. */
  private static final class AnnouncedThroughput {
    ThroughputUpdate update;
    LinkWeight weight;

    /** Whether the other end has echoed the announcement. */
    boolean isUp;

    AnnouncedThroughput(ThroughputUpdate update, LinkWeight weight) {
      this.update = update;
      this.weight = weight;
    }
  }

  public WidestTree(CoreConfig config, Links links, TreeDriver latency) {
    this.self = config.self();
    this.incarnation = config.incarnation();
    this.enabled = config.throughput().enabled();
    this.links = links;
    this.latency = latency;
    this.automaton = new AdaptiveTree(self, incarnation, new Effects());
    this.ring = new UploadRing(config, links, latency, this);
  }

  /** Returns whether this agent measures throughput, and so takes part in this tree. */
  public boolean isEnabled() {
    return enabled;
  }

  public void start(long nowNanos) {
    if (enabled) {
      nextLookNanos = nowNanos;
    }
  }

  /** Returns the tree that this agent has committed last; null before the first. */
  @Nullable
  public CommittedTree tree() {
    return automaton.committedTree();
  }

  /**
   * Returns the same tree with the round trips of its edges as their costs; null if it is empty.
   */
  @Nullable CommittedTree byRoundTrip() {
    CommittedTree widest = tree();
    if (widest == null || widest.edges().isEmpty()) {
      return null;
    }
    return new CommittedTree(
        widest.version(),
        widest.root(),
        widest.edges().stream()
            .map(
                edge ->
                    new LinkWeight(BandwidthWeight.rttMicros(edge.cost()), edge.low(), edge.high()))
            .toList());
  }

  /**
   * Returns whether this end watches the link to a peer while uploads cross it. On the ring this is
   * the link from the previous member; otherwise it is the edge to this agent's parent in the
   * committed tree.
   */
  public boolean isWatchedHere(NodeId peer) {
    return uploadEdges.from().contains(peer) || peer.equals(parent);
  }

  /** Returns whether uploads cross the link to a peer, in either direction. */
  boolean uses(NodeId peer) {
    return uploadEdges.active().contains(peer) || uploadEdges.from().contains(peer);
  }

  /**
   * Returns the edges that uploads use.
   *
   * @return the edges; null if they and their links are unchanged since the last call
   */
  @Nullable
  public UploadEdges changedUploadEdges() {
    boolean mayHaveChanged = uploadEdgesMayHaveChanged;
    mayHaveChanged |= latency.takeEdgesMayHaveChanged();
    uploadEdgesMayHaveChanged = false;
    UploadEdges now = mayHaveChanged ? uploadEdgesNow() : uploadEdges;
    boolean same = now.equals(uploadEdges) && !lostAny;
    lostAny = false;
    uploadEdges = now;
    return same ? null : now;
  }

  /** Returns the order of the members in the ring; null if uploads do not use it. */
  @Nullable
  public List<NodeId> ringOrder() {
    CommittedTree first = latency.tree();
    return uploadEdges.from().isEmpty() || first == null ? null : RingOrder.of(first);
  }

  /**
   * Returns the tree that uploads currently use at this agent; null if it has none. The order of
   * the ring follows from the tree by round trip.
   */
  @Nullable
  public DisseminationTree disseminationTree() {
    CommittedTree widest = tree();
    CommittedTree first = latency.tree();
    if (widest != null && !widest.edges().isEmpty() && !isRound()) {
      return new DisseminationTree(TreeMetric.BANDWIDTH, widest.version());
    }
    return first == null ? null : new DisseminationTree(TreeMetric.LATENCY, first.version());
  }

  /** Returns whether a ring would use the link to a peer, so that its throughput must be known. */
  public boolean mayUseInRing(NodeId peer) {
    return ring.wouldUse(peer);
  }

  /** Returns whether uploads use the ring. */
  public boolean isRound() {
    return !uploadEdges.from().isEmpty();
  }

  /** Returns whether this agent's uploads may fill more than its share of the logs. */
  public boolean isBorrower() {
    return ring.isBorrower();
  }

  /** Sets whether this agent's uploads need more than its share of the logs. */
  public void uploadsNeedLoan(boolean need) {
    uploadEdgesMayHaveChanged |= ring.needsLoan(need);
  }

  private UploadEdges uploadEdgesNow() {
    UploadEdges alongTree = treeEdges();
    ring.update(alongTree.active());
    UploadEdges round = ring.edges();
    return round == null ? alongTree : round;
  }

  private UploadEdges treeEdges() {
    CommittedTree widest = tree();
    CommittedTree first = latency.tree();
    if (widest == null || widest.edges().isEmpty()) {
      return new UploadEdges(
          latency.activeNeighbours(),
          first == null ? Set.of() : Set.copyOf(first.neighbours(self)),
          Set.of());
    }
    TreeSet<NodeId> active = new TreeSet<>(automaton.children());
    NodeId joined = automaton.parent();
    if (joined != null) {
      active.add(joined);
    }
    active.addAll(widest.neighbours(self));
    active.removeIf(peer -> links.open(peer) == null);
    latency.activeNeighbours().stream()
        .filter(peer -> !widest.hasMember(peer))
        .forEach(active::add);
    return new UploadEdges(active, Set.copyOf(widest.neighbours(self)), Set.of());
  }

  /** Returns whether the link to a peer is an edge of the committed tree. */
  public boolean isEdge(NodeId peer) {
    CommittedTree committed = tree();
    return committed != null && committed.hasEdge(self, peer);
  }

  /**
   * Returns the heaviest edge of the path to a member in the committed tree; null if there is none.
   */
  @Nullable
  public LinkWeight heaviestOnPathTo(NodeId peer) {
    return automaton.heaviestOnPathTo(peer);
  }

  /** Returns the link's weight in this tree; null if it is not up in it. */
  @Nullable
  public LinkWeight weight(NodeId peer) {
    AnnouncedThroughput known = announced.get(peer);
    return known != null && known.isUp ? known.weight : null;
  }

  public long nextDeadlineNanos() {
    return nextLookNanos;
  }

  public void tick(long nowNanos) {
    if (nowNanos < nextLookNanos) {
      return;
    }
    nextLookNanos = nowNanos + LOOK_NANOS;
    if (latency.phase() == TreePhase.STARTING) {
      return;
    }
    if (automaton.phase() == NodePhase.IDLE) {
      automaton.start();
      uploadEdgesMayHaveChanged = true;
    }
    for (Link link : links.open()) {
      if (link.inTree && link.isOwnedBy(self)) {
        announce(link, nowNanos);
      }
    }
  }

  private void announce(Link link, long nowNanos) {
    LinkWeight latencyWeight = link.weight;
    AnnouncedThroughput known = announced.get(link.peer);
    ThroughputExpectation expected = link.throughput == null ? null : link.throughput.expectation();
    int before = known == null ? BandwidthWeight.UNKNOWN : known.update.step();
    int step = expected == null ? before : BandwidthWeight.step(before, expected.forecastKbps());
    if (latencyWeight == null || (known != null && (!known.isUp || step == before))) {
      return;
    }
    long version = known == null ? 1 : known.update.version() + 1;
    ThroughputUpdate update = new ThroughputUpdate(version, step, latencyWeight.cost());
    link.control.send(update);
    if (known == null) {
      announced.put(link.peer, new AnnouncedThroughput(update, weight(link, update)));
    } else {
      reweigh(link, known, update, nowNanos);
    }
  }

  private LinkWeight weight(Link link, ThroughputUpdate update) {
    return LinkWeight.between(
        self, link.peer, BandwidthWeight.of(update.step(), update.rttMicros()));
  }

  private void reweigh(
      Link link, AnnouncedThroughput known, ThroughputUpdate update, long nowNanos) {
    known.update = update;
    known.weight = weight(link, update);
    link.agreedOnBandwidth(known.weight, nowNanos);
    automaton.weightChanged(link.peer, known.weight);
    uploadEdgesMayHaveChanged = true;
  }

  private void up(Link link, AnnouncedThroughput known, long nowNanos) {
    known.isUp = true;
    link.agreedOnBandwidth(known.weight, nowNanos);
    automaton.linkUp(link.peer, link.sessionName(incarnation), known.weight);
    uploadEdgesMayHaveChanged = true;
  }

  /**
   * Handles an announcement of a link's throughput, or its echo.
   *
   * @return false if the message violates the protocol
   */
  public boolean received(Link link, ThroughputUpdate update, long nowNanos) {
    AnnouncedThroughput known = announced.get(link.peer);
    if (link.isOwnedBy(self)) {
      if (known == null || known.isUp || !known.update.equals(update)) {
        return false;
      }
      up(link, known, nowNanos);
      return true;
    }
    if (!enabled) {
      return true;
    }
    if (known == null) {
      link.control.send(update);
      known = new AnnouncedThroughput(update, weight(link, update));
      announced.put(link.peer, known);
      up(link, known, nowNanos);
      return true;
    }
    if (update.version() <= known.update.version()) {
      return false;
    }
    reweigh(link, known, update, nowNanos);
    return true;
  }

  /**
   * Handles a message of the other end's automaton.
   *
   * @throws TreeViolation if no correct agent can have sent it
   */
  public void received(Link link, TreeMessage message) throws TreeViolation {
    if (weight(link.peer) == null) {
      throw new TreeViolation(message.type() + " arrived before the link was in the widest tree");
    }
    automaton.receive(link.peer, message);
    uploadEdgesMayHaveChanged = true;
  }

  /**
   * Handles a message about the ring of uploads.
   *
   * @return whether the message is about the ring
   */
  public boolean received(Link link, PeerMessage message) {
    boolean isOfRing = ring.received(link, message);
    uploadEdgesMayHaveChanged |= isOfRing;
    return isOfRing;
  }

  /** Handles the end of the link's session. */
  public void lost(Link link) {
    ring.lost(link);
    lostAny |= uses(link.peer);
    uploadEdgesMayHaveChanged = true;
    AnnouncedThroughput known = announced.remove(link.peer);
    if (known == null || !known.isUp) {
      return;
    }
    if (link.closedByPeer) {
      automaton.neighbourDied(link.peer);
    } else {
      automaton.linkDown(link.peer);
    }
  }

  private final class Effects implements AdaptiveTree.Effects {
    @Override
    public void send(NodeId peer, TreeMessage message) {
      Link link = links.open(peer);
      if (link != null) {
        link.control.send(new Tree(message, TreeMetric.BANDWIDTH));
      }
    }

    @Override
    public void committed(CommittedTree tree, Set<ChangeCause> causes) {
      NodeId towardsRoot = tree.parents().get(self);
      parent = towardsRoot == null || towardsRoot.equals(self) ? null : towardsRoot;
    }
  }
}
