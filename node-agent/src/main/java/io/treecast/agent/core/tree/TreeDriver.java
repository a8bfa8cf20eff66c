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
import io.treecast.monitor.weight.TreeStake;
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
 * Drives the tree automaton of this agent: hands links over to it in batches, with the first of
 * which it starts, sends its messages, and keeps its committed tree. {@link LinkBatch} decides
 * which links wait, and how long.
 */
public final class TreeDriver {
  /** The type of {@link GhsMessage.Hello}. */
  private static final String HANDSHAKE = "Hello";

  /** Later than any time, also with an interval added to it. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  /** Effects of the automaton. */
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
   * Whether these, or the committed tree, have changed since the upload edges were last asked for.
   */
  private boolean edgesMayHaveChanged;

  /** Whether a link of them is gone: its data stream must be opened again, or its edge given up. */
  private boolean lostActive;

  private boolean started;
  private long nowNanos;
  private @Nullable TreeChange lastChange;

  /**
   * When this agent first took part in the change that is under way, while it is {@code changing}.
   */
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

  /** Notes that a link has opened, or a member has become known: more may follow. */
  public void gathering(long nowNanos) {
    batch.gathering(nowNanos);
  }

  /** Handles a link whose first weight in this session both ends know. */
  public void measured(Link link, LinkWeight weight, long nowNanos) {
    this.nowNanos = nowNanos;
    batch.measured(link, weight, nowNanos);
    handOverIfDue();
  }

  /** Handles a change of weight, in order with the tree's messages. */
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
      throw new TreeViolation(message.type() + " came before the link was measured");
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

  /** Hands over waiting links, if their wait is over. */
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

  /** Control messages sent, by type; handshakes of links among them as {@code Hello}. */
  public Map<String, Long> messagesSent() {
    return Collections.unmodifiableMap(messagesSent);
  }

  /** Counts a control message that is not the automaton's. */
  public void countSent(String type) {
    messagesSent.merge(type, 1L, Long::sum);
  }

  /** Without the handshakes of links, which changes of the tree do not cause. */
  private long sentForTheTree() {
    long all = messagesSent.values().stream().mapToLong(Long::longValue).sum();
    return all - messagesSent.getOrDefault(HANDSHAKE, 0L);
  }

  /** Returns whether the automaton has started. */
  boolean hasStarted() {
    return started;
  }

  /** Returns whether it takes part in a change of the tree. */
  boolean isChanging() {
    return started && changing;
  }

  /** Returns when it began to take part; 0 before. */
  public long startedNanos() {
    return startedNanos;
  }

  /**
   * Returns since when it takes part in the change that is under way; later than any time if none
   * is.
   */
  public long changeSinceNanos() {
    return isChanging() ? changeSinceNanos : NEVER;
  }

  /** Returns when it committed its tree; 0 before the first. */
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

  /** Returns the importance of the link to that peer for the committed tree. */
  public TreeStake stake(NodeId peer) {
    if (heaviestOnPathTo(peer) == null) {
      return TreeStake.NONE;
    }
    return isEdge(peer) ? TreeStake.EDGE : TreeStake.BESIDE;
  }

  /** Returns whether the link to that peer is an edge of the committed tree. */
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

  /** Returns the weight of that edge in microseconds; 0 if there is none. */
  public long heaviestMicrosOnPathTo(NodeId peer) {
    LinkWeight heaviest = heaviestOnPathTo(peer);
    return heaviest == null ? 0 : heaviest.cost();
  }

  /** Returns whether the tree uses a link, or it is not known yet whether it will. */
  boolean uses(Link link) {
    return link.weight == null
        || (batch.holds(link) && !awaitsCommit(link))
        || heaviestOnPathTo(link.peer) == null
        || isEdge(link.peer)
        || activeNeighbours.contains(link.peer);
  }

  /**
   * Returns whether the tree uses a link, or may soon: it takes no longer than the heaviest edge
   * beside it.
   *
   * @param rttMicros what it takes, without what a change of the tree costs
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
   * Returns the neighbours that data flows to: those in the committed tree, and those that the
   * automaton has joined with since, so that a new edge is in use before an old one is given up.
   *
   * @return null if they are unchanged since the last call, with the same links
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

  /** Returns whether they, or the committed tree, may have changed since the last call. */
  boolean takeEdgesMayHaveChanged() {
    boolean mayHaveChanged = edgesMayHaveChanged;
    edgesMayHaveChanged = false;
    return mayHaveChanged;
  }

  /** Returns the neighbours that data flows to, now. */
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
