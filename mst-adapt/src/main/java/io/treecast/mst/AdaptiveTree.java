package io.treecast.mst;

import io.treecast.ghs.Edge;
import io.treecast.ghs.FragmentMap;
import io.treecast.ghs.GhsMessage;
import io.treecast.ghs.GhsNode;
import io.treecast.ghs.History;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.ghs.Rank;
import io.treecast.ghs.Round;
import io.treecast.ghs.TreeKeeper;
import io.treecast.ghs.TreeMessage;
import io.treecast.ghs.TreeViolation;
import io.treecast.mst.MstMessage.Commit;
import io.treecast.mst.MstMessage.Cut;
import io.treecast.mst.MstMessage.CutOrder;
import io.treecast.mst.MstMessage.Failure;
import io.treecast.mst.MstMessage.Refuse;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One node of a minimum spanning tree that adapts to links and nodes that appear, disappear and
 * change (see the package).
 *
 * <p>A fragment goes through this cycle. {@link GhsNode GHS} searches for its minimum outgoing
 * edge, and joins it to other fragments. When no edge leaves the fragment, its root
 * <em>commits</em> the tree. The members of a committed tree <em>certify</em> their links, and
 * <em>cut</em> the tree where it is no longer minimal. Whatever is cut or lost becomes a fragment
 * of the next epoch.
 *
 * <p>This class is the mailbox: it hands each event to the part that owns the rule, then lets the
 * parts settle what the event made due, and checks the invariants. The parts: {@link LinkChanges},
 * {@link Commitment}, {@link Certification}, {@link Repair}, and {@link GhsNode}.
 *
 * <p>The driver has these duties. Within one session of a link, each message arrives once and in
 * order. At the end of a session any number of the last messages may be lost, and no message of an
 * older session arrives. Each end gets {@link #linkDown} before {@link #linkUp} of the next
 * session, and both ends get the same session number. The lower end of a link owns its weight: its
 * driver sends each change over the link itself, in order with this node's messages, and then calls
 * {@link #weightChanged}; the driver of the higher end calls it when the change arrives. So the
 * ends may hold different weights for a while, but no message overtakes the weight under which it
 * was sent.
 *
 * <p>Confined to one thread at a time; {@link Effects} must not call back into the node.
 */
public final class AdaptiveTree {

  /** Receives the effects of a node, in the order in which they happen. */
  public interface Effects {
    /** Sends a message over a link that is up. */
    void send(NodeId peer, TreeMessage message);

    /**
     * This node has committed a tree of which it is a member. There is no call if a fragment was
     * cut and has rejoined to the tree that all its members have: it keeps that tree.
     *
     * @param tree the tree; its version is higher than that of any tree committed here before, and
     *     the same at all members
     * @param causes the causes that members noticed; empty if only weights changed
     */
    void committed(CommittedTree tree, Set<ChangeCause> causes);
  }

  final Effects effects;
  final GhsNode ghs;
  final Commitment commitment;
  final Certification certification;
  final Repair repair;

  private final CauseLog causes = new CauseLog();
  private final LinkChanges linkChanges;

  /**
   * A node that has not started.
   *
   * @param self its name
   * @param incarnation the incarnation of the node: higher than at any earlier start, at least 0
   * @param effects receives the effects, inside the calls to this object
   */
  public AdaptiveTree(NodeId self, long incarnation, Effects effects) {
    this.effects = effects;
    ghs = new GhsNode(self, incarnation, new Keeper());
    commitment = new Commitment(ghs, causes, this);
    certification = new Certification(ghs, this);
    repair = new Repair(ghs, causes, this);
    linkChanges = new LinkChanges(ghs, causes, this);
  }

  /**
   * Starts as a fragment of one node. The first message starts a node as well.
   *
   * @throws IllegalStateException if it has started
   */
  public void start() {
    causes.note(ChangeCause.MEMBER_STARTED);
    ghs.start();
    settle();
  }

  /**
   * A link is up, and both ends know its weight. Before the start, the node only remembers it.
   *
   * @param session a number that both ends know, and that no other session of this pair had
   * @throws IllegalStateException if it is up already
   */
  public void linkUp(NodeId peer, long session, LinkWeight weight) {
    ghs.linkUp(peer, session, weight);
    if (ghs.hasStarted()) {
      linkChanges.up(peer);
      settle();
    }
  }

  /**
   * A link is down, and messages in flight on it are lost.
   *
   * @throws IllegalStateException if it is not up
   */
  public void linkDown(NodeId peer) {
    linkChanges.down(peer, false);
    settle();
  }

  /**
   * A link is down because its other end is probably dead; then all links of that node are down. As
   * {@link #linkDown}, but the repair needs fewer messages. If the node is alive, it needs more.
   *
   * @throws IllegalStateException if it is not up
   */
  public void neighbourDied(NodeId peer) {
    linkChanges.down(peer, true);
    settle();
  }

  /**
   * The weight of a link has changed significantly. At the lower end, its driver has just sent the
   * change over the link. At the higher end, the change has just arrived.
   *
   * @throws IllegalStateException if the link is not up
   */
  public void weightChanged(NodeId peer, LinkWeight weight) {
    if (!ghs.hasStarted()) {
      ghs.reweigh(peer, weight);
      return;
    }
    linkChanges.reweigh(peer, weight);
    settle();
  }

  /**
   * A message has arrived.
   *
   * @throws TreeViolation if no correct neighbour sends it. The message then has no effect, except
   *     to show that the peer is alive, and the driver must end the link
   */
  public void receive(NodeId peer, TreeMessage message) throws TreeViolation {
    if (!ghs.hasLink(peer)) {
      throw new TreeViolation(message.type() + " from " + peer + ", to which no link is up");
    }
    if (!ghs.hasStarted()) {
      start();
    }
    linkChanges.signOfLife(peer);
    if (message instanceof GhsMessage ofGhs) {
      ghs.receive(peer, ofGhs);
    } else if (message instanceof MstMessage own) {
      own.visit(new Dispatch(peer));
    } else {
      throw new IllegalArgumentException(message.type() + " is not a message of the tree protocol");
    }
    settle();
  }

  /** Audits a new tree and answers waiting Connects, until nothing is due. */
  private void settle() {
    boolean progress = true;
    while (progress) {
      progress = commitment.auditIfDue() || ghs.answerOneWaiting();
    }
    ghs.checkInvariants();
  }

  void send(NodeId peer, MstMessage message) {
    if (!ghs.hasLink(peer)) {
      throw new IllegalStateException("the link from " + ghs.self() + " to " + peer + " is not up");
    }
    effects.send(peer, message);
  }

  /** This node. */
  public NodeId self() {
    return ghs.self();
  }

  public NodePhase phase() {
    if (!ghs.hasStarted()) {
      return NodePhase.IDLE;
    }
    if (ghs.isSearching()) {
      return NodePhase.SEARCHING;
    }
    if (ghs.connectingTo() != null) {
      return NodePhase.CONNECTING;
    }
    return commitment.isCommitted() ? NodePhase.COMMITTED : NodePhase.REPORTED;
  }

  /** The rank of its fragment, as far as it knows. Never falls. */
  public Rank rank() {
    return ghs.rank();
  }

  /** The next node towards the root of its fragment; null at the root. */
  public @Nullable NodeId parent() {
    return ghs.parent();
  }

  /** The neighbours whose parent this node is, or is about to be. */
  public SortedSet<NodeId> children() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(ghs.children().keySet()));
  }

  /** The last committed tree, also while the next one is being built; null before the first. */
  public @Nullable CommittedTree committedTree() {
    CommittedView view = commitment.view();
    return view == null ? null : view.tree();
  }

  /**
   * The heaviest edge of the path to a member in the last committed tree, against which a link to
   * it is certified; null if there is no such path.
   */
  public @Nullable LinkWeight heaviestOnPathTo(NodeId member) {
    return certification.heaviestOnPathTo(member);
  }

  /** The neighbour whose answer to this node's Connect is pending; null if there is none. */
  public @Nullable NodeId connectingTo() {
    return ghs.connectingTo();
  }

  /** The neighbours whose Connects have no answer yet. */
  public List<NodeId> waitingToJoin() {
    return ghs.waitingToJoin();
  }

  /** The present weight of a link; null if it is not up. */
  public @Nullable LinkWeight weight(NodeId peer) {
    return ghs.weight(peer);
  }

  /** For example {@code 4: COMMITTED, 3.1/12#0.4 round 2, parent 12, children [5, 6]}. */
  @Override
  public String toString() {
    return self() + ": " + phase() + ", " + ghs;
  }

  /** The services of the committed tree for GHS. */
  private final class Keeper implements TreeKeeper {
    @Override
    public void send(NodeId peer, TreeMessage message) {
      effects.send(peer, message);
    }

    @Override
    public void noOutgoingEdge(Round round, FragmentMap tree, boolean isOffer) {
      commitment.commit(
          CommittedView.of(round, self(), ghs.incarnation(), tree, commitment.view()), isOffer);
    }

    @Override
    public History history() {
      return ChangeHistory.ofMember(committedTree(), causes.report());
    }

    @Override
    public @Nullable FragmentMap committedSubtree() {
      CommittedView view = commitment.view();
      return view == null ? null : view.subtree(self());
    }

    @Override
    public void nonMemberConnects(NodeId peer) {
      if (commitment.isCommitted() && !commitment.isInTree(peer)) {
        causes.note(ChangeCause.LINK_TO_NON_MEMBER);
        ghs.wake();
      }
    }

    @Override
    public boolean hasCommittedRound() {
      return commitment.hasCommittedRound();
    }

    @Override
    public void lost(Edge edge) {
      repair.lost(edge);
    }
  }

  /** Hands each message to the part that owns its rule. */
  private final class Dispatch implements MstMessage.Visitor<TreeViolation> {
    private final NodeId peer;

    Dispatch(NodeId peer) {
      this.peer = peer;
    }

    @Override
    public void commit(Commit message) throws TreeViolation {
      commitment.onCommit(peer, message);
    }

    @Override
    public void cut(Cut message) {
      repair.onCut(peer, message);
    }

    @Override
    public void failure(Failure message) {
      repair.onFailure(message);
    }

    @Override
    public void cutOrder(CutOrder message) {
      certification.onCutOrder(message);
    }

    @Override
    public void refuse(Refuse message) {
      certification.onRefuse(message);
    }
  }
}
