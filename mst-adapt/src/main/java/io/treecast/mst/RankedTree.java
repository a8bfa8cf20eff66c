package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.RankedMessage.Cancel;
import io.treecast.mst.RankedMessage.ChangeRoot;
import io.treecast.mst.RankedMessage.Commit;
import io.treecast.mst.RankedMessage.Connect;
import io.treecast.mst.RankedMessage.Cut;
import io.treecast.mst.RankedMessage.CutOrder;
import io.treecast.mst.RankedMessage.Decline;
import io.treecast.mst.RankedMessage.Failure;
import io.treecast.mst.RankedMessage.Hello;
import io.treecast.mst.RankedMessage.Initiate;
import io.treecast.mst.RankedMessage.Nack;
import io.treecast.mst.RankedMessage.Refuse;
import io.treecast.mst.RankedMessage.Report;
import io.treecast.mst.RankedMessage.Wake;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One node of ranked merging, which keeps a minimum spanning tree while links and nodes come, go
 * and change (see the package).
 *
 * <p>A fragment goes round this circle. Its root starts a <em>search</em>; the echo says who the
 * members are and which is the minimum outgoing edge. If there is one, the root <em>moves</em> to
 * it and <em>connects</em>; a fragment of higher rank takes this one in, two of equal rank that
 * chose the same edge <em>merge</em> into one of the next level. If there is none, the root
 * <em>commits</em> the tree. Members of a committed tree <em>certify</em> their links, and
 * <em>cut</em> the tree where it is not minimal any more. Whatever is cut or lost makes fragments,
 * of the next epoch.
 *
 * <p>The class is the mailbox: it dispatches each event to the part that owns the rule, then lets
 * the parts settle what the event made due, and checks the invariants. The parts: {@link
 * LinkEvents}, {@link Search}, {@link Joining}, {@link Admission}, {@link Commitment}, {@link
 * Certification}, {@link Repair}; they share {@link NodeState}.
 *
 * <p>What the driver owes. Within one session of a link each message arrives once and in order; at
 * its end any number of the last ones may be lost; nothing of an older session arrives. Each end
 * gets {@link #linkDown} before {@link #linkUp} of the next session, and both get the same session
 * number. The lower end of a link owns its weight: its driver sends each change over the link
 * itself, in order with this node's messages, and then tells this node by {@link #weightChanged};
 * the driver of the higher end calls that when the change arrives. So at any time the ends may hold
 * different weights, but no message overtakes the weight that it was sent under.
 *
 * <p>Confined to one thread at a time; {@link Effects} must not call back into the node.
 */
public final class RankedTree {

  /** What a node does to the world, in the order in which it does it. */
  public interface Effects {
    /** Sends a message over a link that is up. */
    void send(NodeId peer, RankedMessage message);

    /**
     * This node has committed a tree that it is a member of.
     *
     * @param tree the tree; its version is higher than that of any tree committed here before, and
     *     the same at all members
     * @param causes what members noticed that led to it; empty if new weights alone did
     */
    void committed(CommittedTree tree, Set<ChangeCause> causes);
  }

  final Search search;
  final Joining joining;
  final Admission admission;
  final Commitment commitment;
  final Certification certification;
  final Repair repair;

  private final NodeState state;
  private final LinkEvents linkEvents;
  private boolean started;

  /**
   * A node that has not started.
   *
   * @param self its name
   * @param incarnation which life of that name: higher than in any life before, at least 0
   * @param effects told what to do, inside the calls to this object
   */
  public RankedTree(NodeId self, long incarnation, Effects effects) {
    if (incarnation < 0) {
      throw new IllegalArgumentException("incarnation is " + incarnation + "; the least is 0");
    }
    state = new NodeState(self, incarnation, effects);
    search = new Search(state, this);
    joining = new Joining(state, this);
    admission = new Admission(state, this);
    commitment = new Commitment(state, this);
    certification = new Certification(state, this);
    repair = new Repair(state, this);
    linkEvents = new LinkEvents(state, this);
  }

  /**
   * Begins, as a fragment of one node. A message starts the node, too.
   *
   * @throws IllegalStateException if it has started
   */
  public void start() {
    if (started) {
      throw new IllegalStateException(state.self + " was started twice");
    }
    started = true;
    state.causes.note(ChangeCause.MEMBER_STARTED);
    search.start();
    settle();
  }

  /**
   * A link is up, and both ends know its weight. Before the start this is only taken note of.
   *
   * @param session a number that both ends know, and that no other session of this pair had
   * @throws IllegalStateException if it is up already
   */
  public void linkUp(NodeId peer, long session, LinkWeight weight) {
    if (!started) {
      state.links.add(peer, session, weight);
      return;
    }
    linkEvents.up(peer, session, weight);
    settle();
  }

  /**
   * A link is down, with whatever was under way on it.
   *
   * @throws IllegalStateException if it is not up
   */
  public void linkDown(NodeId peer) {
    if (!started) {
      state.links.remove(peer);
      return;
    }
    linkEvents.down(peer, false);
    settle();
  }

  /**
   * A link is down because its other end is probably dead, and so all its links. As {@link
   * #linkDown}, but the repair needs fewer messages; should that be wrong, more.
   *
   * @throws IllegalStateException if it is not up
   */
  public void neighbourDied(NodeId peer) {
    if (!started) {
      state.links.remove(peer);
      return;
    }
    linkEvents.down(peer, true);
    settle();
  }

  /**
   * A link has another weight, by a change that was significant. At the lower end: its driver has
   * just sent the change over the link. At the higher end: the change has just arrived there.
   *
   * @throws IllegalStateException if the link is not up
   */
  public void weightChanged(NodeId peer, LinkWeight weight) {
    if (!started) {
      state.links.reweigh(peer, weight);
      return;
    }
    linkEvents.reweigh(peer, weight);
    settle();
  }

  /**
   * A message has arrived.
   *
   * @throws TreeViolation if no correct neighbour can have sent it; the node has learnt nothing
   *     from it but that the peer lives, and the driver ends the link
   */
  public void receive(NodeId peer, RankedMessage message) throws TreeViolation {
    if (!state.links.has(peer)) {
      throw new TreeViolation(message.type() + " from " + peer + ", to which no link is up");
    }
    if (!started) {
      start();
    }
    linkEvents.heard(peer);
    message.visit(new Dispatch(peer));
    settle();
  }

  /** Until nothing is due: the audit of a new tree, then requests that have become decided. */
  private void settle() {
    boolean progress = true;
    while (progress) {
      progress = commitment.auditIfDue() || admission.answerOneWaiting();
    }
    checkInvariants();
  }

  private void checkInvariants() {
    for (NodeId child : state.children.keySet()) {
      check(state.links.has(child), "the child %s has no link", child);
      check(!state.isParent(child), "the child %s is the parent, too", child);
    }
    NodeId parent = parent();
    check(parent == null || state.links.has(parent), "the parent %s has no link", parent);
    check(
        state.children.keySet().containsAll(search.awaited()),
        "the search awaits %s, of whom some are no children",
        search.awaited());
    NodeId asked = joining.pendingPeer();
    check(asked == null || state.links.has(asked), "the asked peer %s has no link", asked);
    check(asked == null || parent == null, "%s is asked, but this is no root", asked);
    check(
        state.links.all().size() >= admission.waitingPeers().size(),
        "more requests wait than there are links, from %s",
        admission.waitingPeers());
  }

  private void check(boolean holds, String breach, @Nullable Object subject) {
    if (!holds) {
      throw new IllegalStateException(
          "invariant broken at " + state.self + ": " + breach.replace("%s", "" + subject));
    }
  }

  /** This node. */
  public NodeId self() {
    return state.self;
  }

  /** What it is doing. */
  public RankedPhase phase() {
    if (!started) {
      return RankedPhase.IDLE;
    }
    if (search.isUnderWay()) {
      return RankedPhase.SEARCHING;
    }
    if (joining.isPending()) {
      return RankedPhase.CONNECTING;
    }
    return commitment.isCommitted() ? RankedPhase.COMMITTED : RankedPhase.REPORTED;
  }

  /** The rank of its fragment, as far as it knows. Never falls. */
  public Rank rank() {
    return state.rank();
  }

  /** The next node towards the root of its fragment; null at the root. */
  public @Nullable NodeId parent() {
    NodeState.Attachment parent = state.parent();
    return parent == null ? null : parent.peer();
  }

  /** The neighbours that have it for a parent, or are about to. */
  public SortedSet<NodeId> children() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(state.children.keySet()));
  }

  /** The last committed tree, also while the next one is being made; null before the first. */
  public @Nullable CommittedTree committedTree() {
    CommittedView view = commitment.view();
    return view == null ? null : view.tree();
  }

  /**
   * The heaviest edge of the path to a member in the last committed tree, by which a link to it is
   * certified; null if there is no such path.
   */
  public @Nullable LinkWeight heaviestOnPathTo(NodeId member) {
    return certification.heaviestOnPathTo(member);
  }

  /** The neighbour that has been asked to join and has not answered; null if none. */
  public @Nullable NodeId connectingTo() {
    return joining.pendingPeer();
  }

  /** The neighbours that have asked to join and are not answered yet. */
  public List<NodeId> waitingToJoin() {
    return admission.waitingPeers();
  }

  /** The present weight of a link; null if it is not up. */
  public @Nullable LinkWeight weight(NodeId peer) {
    Link link = state.links.find(peer);
    return link == null ? null : link.weight();
  }

  /** For example {@code 4: COMMITTED, round 3.1/12#0.4 round 2, parent 12, children [5, 6]}. */
  @Override
  public String toString() {
    return state.self
        + ": "
        + phase()
        + ", "
        + state.round()
        + (parent() == null ? ", root" : ", parent " + parent())
        + (", children " + state.children.keySet())
        + (joining.isPending() ? ", asked " + connectingTo() : "")
        + (waitingToJoin().isEmpty() ? "" : ", asked by " + waitingToJoin());
  }

  /** The part that owns each message's rule. */
  private final class Dispatch implements RankedMessage.Visitor<TreeViolation> {
    private final NodeId peer;

    Dispatch(NodeId peer) {
      this.peer = peer;
    }

    @Override
    public void hello(Hello message) {
      linkEvents.onHello(peer, message);
    }

    @Override
    public void initiate(Initiate message) throws TreeViolation {
      search.onInitiate(peer, message);
    }

    @Override
    public void report(Report message) throws TreeViolation {
      search.onReport(peer, message);
    }

    @Override
    public void changeRoot(ChangeRoot message) {
      joining.onChangeRoot(peer, message);
    }

    @Override
    public void connect(Connect message) {
      admission.onConnect(peer, message);
    }

    @Override
    public void nack(Nack message) {
      joining.onNack(peer, message);
    }

    @Override
    public void cancel(Cancel message) {
      admission.onCancel(peer, message);
    }

    @Override
    public void decline(Decline message) {
      admission.onDecline(peer, message);
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
    public void wake(Wake message) {
      repair.onWake(message);
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
