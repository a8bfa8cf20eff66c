package io.treecast.agent.core.tree;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.message.PeerMessage.WeightUpdate;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.monitor.weight.LinkRole;
import io.treecast.mst.AdaptiveTree;
import io.treecast.mst.ChangeCause;
import io.treecast.mst.CommittedTree;
import io.treecast.mst.NodePhase;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Drives this agent's automaton of the tree by round trip. It hands links over in batches, starts
 * the automaton with the first batch, sends its messages, and records its committed trees. {@link
 * LinkBatch} decides which links wait, and how long.
 */
public final class TreeDriver {
  /** The type of {@link GhsMessage.Hello}. */
  private static final String HANDSHAKE = "Hello";

  /** Later than any time. An interval can be added without overflow. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  public interface Events {
    /** Reports a tree that this agent has committed. */
    void committed(TreeChange change);
  }

  private final NodeId self;
  private final long incarnation;
  private final Links links;
  private final LinkBatch batch;
  private final Events events;
  private final AdaptiveTree automaton;
  private final TreeMap<String, Long> messagesSent = new TreeMap<>();
  private SortedSet<NodeId> activeNeighbours = new TreeSet<>();

  /** Whether an event may have changed the active neighbours. */
  private boolean activeMayHaveChanged;

  /**
   * Whether the active neighbours or the committed tree may have changed since the upload edges
   * were last computed.
   */
  private boolean edgesMayHaveChanged;

  /**
   * Whether the link to an active neighbour was lost, so that its data stream must be reopened or
   * its edge dropped.
   */
  private boolean lostActive;

  private boolean started;
  private long nowNanos;
  private @Nullable TreeChange lastChange;

  /** When this agent's part in the present change began; valid while {@code changing}. */
  private long changeSinceNanos;

  private long startedNanos;
  private long committedNanos;
  private boolean changing = true;
  private long sentBeforeChange;

  public TreeDriver(CoreConfig config, Links links, Lateness lateness, Events events) {
    this.self = config.self();
    this.incarnation = config.incarnation();
    this.links = links;
    this.batch = new LinkBatch(config.links(), links, this, lateness);
    this.events = events;
    this.automaton = new AdaptiveTree(self, incarnation, new Effects());
  }

  /** Begins to wait for the first links. */
  public void start(long nowNanos) {
    this.nowNanos = nowNanos;
    batch.start(nowNanos);
  }

  /** Handles a link that has opened. */
  public void opened(long nowNanos) {
    activeMayHaveChanged = true;
    gathering(nowNanos);
  }

  /** Notes that a link has opened or a member has become known, so that more may follow. */
  public void gathering(long nowNanos) {
    batch.gathering(nowNanos);
  }

  /** Handles a measured link. Both ends must know its first weight in this session. */
  public void measured(Link link, LinkWeight weight, long nowNanos) {
    this.nowNanos = nowNanos;
    batch.measured(link, weight, nowNanos);
    handOverIfDue();
  }

  /** Handles a change of a link's weight, in order with the messages of the tree. */
  public void reweighed(Link link, LinkWeight weight, long nowNanos) {
    this.nowNanos = nowNanos;
    if (link.inTree) {
      automaton.weightChanged(link.peer, weight);
      afterEvent();
      return;
    }
    if (batch.hold(link, new WeightUpdate(link.weightVersion, weight.cost()), nowNanos)) {
      handOverIfDue();
    }
  }

  /**
   * Handles a message of the other end's automaton.
   *
   * @throws TreeViolation if no correct agent can have sent it
   */
  public void received(Link link, TreeMessage message, long nowNanos) throws TreeViolation {
    this.nowNanos = nowNanos;
    if (link.inTree) {
      automaton.receive(link.peer, message);
      afterEvent();
      return;
    }
    if (!batch.hold(link, new Tree(message), nowNanos)) {
      throw new TreeViolation(message.type() + " arrived before the link was measured");
    }
    handOverIfDue();
  }

  /** Handles the end of the link's session. */
  public void lost(Link link, long nowNanos) {
    this.nowNanos = nowNanos;
    activeMayHaveChanged = true;
    lostActive |= activeNeighbours.contains(link.peer);
    batch.lost(link);
    if (link.inTree) {
      link.inTree = false;
      if (link.closedByPeer) {
        automaton.neighbourDied(link.peer);
      } else {
        automaton.linkDown(link.peer);
      }
      afterEvent();
    }
  }

  public long nextDeadlineNanos() {
    return batch.nextDeadlineNanos(nowNanos);
  }

  public void tick(long nowNanos) {
    this.nowNanos = nowNanos;
    handOverIfDue();
  }

  /** Hands waiting links over to the automaton if their wait has ended. */
  public void handOverIfDue() {
    if (batch.isDue(nowNanos)) {
      handOver(batch.take(nowNanos));
    }
  }

  /** Returns whether a link is withheld from the automaton until it commits. */
  boolean awaitsCommit(Link link) {
    return batch.awaitsCommit(link, nowNanos);
  }

  private void handOver(List<LinkBatch.Waiting> handedOver) {
    for (LinkBatch.Waiting one : handedOver) {
      Link link = one.link();
      link.inTree = true;
      automaton.linkUp(link.peer, link.sessionName(incarnation), one.weight());
    }
    if (!started) {
      started = true;
      startedNanos = nowNanos;
      changeSinceNanos = nowNanos;
      automaton.start();
    }
    afterEvent();
    handedOver.forEach(this::replay);
  }

  private void replay(LinkBatch.Waiting one) {
    Link link = one.link();
    while (link.inTree && !one.held().isEmpty()) {
      PeerMessage message = one.held().remove();
      try {
        if (message instanceof Tree tree) {
          received(link, tree.message(), nowNanos);
        } else if (message instanceof WeightUpdate update) {
          reweighed(link, LinkWeight.between(self, link.peer, update.rttMicros()), nowNanos);
        }
      } catch (TreeViolation violation) {
        links.violated(link, violation.reason(), nowNanos);
      }
    }
  }

  private void afterEvent() {
    activeMayHaveChanged = true;
    boolean committed = automaton.phase() == NodePhase.COMMITTED;
    if (!committed && !changing) {
      changing = true;
      changeSinceNanos = nowNanos;
    }
    if (committed) {
      changing = false;
    }
  }

  /**
   * Returns the numbers of control messages sent, by type. {@code Hello} counts the handshakes of
   * links.
   */
  public Map<String, Long> messagesSent() {
    return Collections.unmodifiableMap(messagesSent);
  }

  /** Counts a control message. */
  public void countSent(String type) {
    messagesSent.merge(type, 1L, Long::sum);
  }

  /**
   * Returns the number of control messages sent, except handshakes of links, which changes of the
   * tree do not cause.
   */
  private long sentForTheTree() {
    long all = messagesSent.values().stream().mapToLong(Long::longValue).sum();
    return all - messagesSent.getOrDefault(HANDSHAKE, 0L);
  }

  /** Returns whether the automaton has started. */
  boolean hasStarted() {
    return started;
  }

  /** Returns whether the automaton takes part in a change of the tree. */
  boolean isChanging() {
    return started && changing;
  }

  /** Returns when the automaton started; 0 before. */
  public long startedNanos() {
    return startedNanos;
  }

  /**
   * Returns when this agent's part in the present change began; later than any time if there is
   * none.
   */
  public long changeSinceNanos() {
    return isChanging() ? changeSinceNanos : NEVER;
  }

  /** Returns when the present tree was committed; 0 before the first. */
  public long committedNanos() {
    return committedNanos;
  }

  /** Returns the change that led to the present tree; null before the first. */
  @Nullable
  public TreeChange lastChange() {
    return lastChange;
  }

  @Nullable
  public CommittedTree tree() {
    return automaton.committedTree();
  }

  /** Returns the role of the link to this peer in the committed tree. */
  public LinkRole linkRole(NodeId peer) {
    if (heaviestOnPathTo(peer) == null) {
      return LinkRole.NONE;
    }
    return isEdge(peer) ? LinkRole.EDGE : LinkRole.BESIDE;
  }

  /** Returns whether the link to this peer is an edge of the committed tree. */
  public boolean isEdge(NodeId peer) {
    CommittedTree tree = tree();
    return tree != null && tree.neighbours(self).contains(peer);
  }

  /**
   * Returns the heaviest edge of the path to a member in the committed tree; null if there is none.
   */
  @Nullable
  public LinkWeight heaviestOnPathTo(NodeId peer) {
    return automaton.heaviestOnPathTo(peer);
  }

  /** Returns the weight of {@link #heaviestOnPathTo} in microseconds; 0 if there is none. */
  public long heaviestMicrosOnPathTo(NodeId peer) {
    LinkWeight heaviest = heaviestOnPathTo(peer);
    return heaviest == null ? 0 : heaviest.cost();
  }

  /** Returns whether the tree uses a link, or may use it since the decision is pending. */
  boolean uses(Link link) {
    return link.weight == null
        || (batch.holds(link) && !awaitsCommit(link))
        || heaviestOnPathTo(link.peer) == null
        || isEdge(link.peer)
        || activeNeighbours.contains(link.peer);
  }

  /**
   * Returns whether the tree uses a link, or may use it soon: its round trip is at most that of the
   * heaviest edge on the path between its ends.
   *
   * @param rttMicros the link's round trip, without the cost of a change of the tree
   */
  boolean needs(Link link, long rttMicros) {
    LinkWeight heaviest = heaviestOnPathTo(link.peer);
    return uses(link) || heaviest == null || rttMicros <= heaviest.cost();
  }

  public TreePhase phase() {
    if (!started) {
      return TreePhase.STARTING;
    }
    return automaton.phase() == NodePhase.COMMITTED ? TreePhase.COMMITTED : TreePhase.MERGING;
  }

  /**
   * Returns the active neighbours, to which this agent sends data: the neighbours in the committed
   * tree, and those that the automaton has joined since. So a new edge is in use before an old one
   * is dropped.
   *
   * @return the neighbours; null if they and their links are unchanged since the last call
   */
  @Nullable
  public SortedSet<NodeId> changedActiveNeighbours() {
    if (!activeMayHaveChanged) {
      return null;
    }
    activeMayHaveChanged = false;
    edgesMayHaveChanged = true;
    SortedSet<NodeId> active = activeNeighbours();
    boolean same = active.equals(activeNeighbours) && !lostActive;
    lostActive = false;
    activeNeighbours = active;
    return same ? null : active;
  }

  /**
   * Returns whether the active neighbours or the committed tree may have changed since the last
   * call.
   */
  boolean takeEdgesMayHaveChanged() {
    boolean mayHaveChanged = edgesMayHaveChanged;
    edgesMayHaveChanged = false;
    return mayHaveChanged;
  }

  /** Returns the present active neighbours. */
  SortedSet<NodeId> activeNeighbours() {
    TreeSet<NodeId> active = new TreeSet<>(automaton.children());
    NodeId parent = automaton.parent();
    if (parent != null) {
      active.add(parent);
    }
    CommittedTree tree = tree();
    if (tree != null) {
      active.addAll(tree.neighbours(self));
    }
    active.removeIf(peer -> links.open(peer) == null);
    return active;
  }

  private final class Effects implements AdaptiveTree.Effects {
    @Override
    public void send(NodeId peer, TreeMessage message) {
      Link link = links.open(peer);
      if (link != null) {
        countSent(message.type());
        link.control.send(new Tree(message));
      }
    }

    @Override
    public void committed(CommittedTree tree, Set<ChangeCause> causes) {
      long sent = sentForTheTree();
      TreeChange change =
          TreeChange.between(
              lastChange == null ? null : lastChange.tree(),
              tree,
              causes,
              changing ? nowNanos - changeSinceNanos : 0,
              sent - sentBeforeChange);
      sentBeforeChange = sent;
      committedNanos = nowNanos;
      changeSinceNanos = nowNanos;
      lastChange = change;
      events.committed(change);
    }
  }
}
