package io.treecast.ghs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of GHS with the simplest keeper that makes its fragments complete trees: it sends the tree
 * to all members, and reports lost edges to the root. It certifies nothing, so that a tree stays as
 * it is when a link improves.
 */
final class Member implements TreeKeeper {
  /** From a parent: the tree of the fragment. */
  record Complete(ConnectId edge, Round round, FragmentMap tree, boolean isOffer)
      implements TreeMessage {}

  /** Towards the root: the fragment has lost an edge. */
  record Lost(FragmentId fragment, Edge edge) implements TreeMessage {}

  /** Counts the nodes that have added to it. */
  record Answers(int count) implements History {
    @Override
    public History joinedWith(History other) {
      return other instanceof Answers its ? new Answers(count + its.count) : this;
    }
  }

  /** Carries messages. */
  interface Outbox {
    void put(NodeId from, NodeId to, TreeMessage message);
  }

  final GhsNode ghs;
  private final Outbox outbox;
  private @Nullable Round completedRound;
  private @Nullable FragmentMap tree;
  private boolean auditDue;

  Member(NodeId self, long incarnation, Outbox outbox) {
    this.ghs = new GhsNode(self, incarnation, this);
    this.outbox = outbox;
  }

  /** The tree of the last round that was completed; null before the first. */
  @Nullable FragmentMap tree() {
    return tree;
  }

  /** Whether the node knows the tree of its fragment, and of nothing that is wrong with it. */
  boolean isComplete() {
    return hasCommittedRound() && !ghs.isSearching() && !ghs.hasLostEdges();
  }

  void start() {
    ghs.start();
    settle();
  }

  void linkUp(NodeId peer, long session, LinkWeight weight) {
    ghs.linkUp(peer, session, weight);
    if (ghs.hasStarted()) {
      if (!isComplete() && ghs.isBetterThanReported(peer)) {
        ghs.wake();
      }
      settle();
    }
  }

  void linkDown(NodeId peer, boolean hasDied) {
    switch (ghs.linkDown(peer, hasDied)) {
      case PARENT -> ghs.becomeRoot();
      case CHILD -> {
        ghs.removeChild(peer);
        lost(Edge.between(ghs.self(), peer));
      }
      case NO_TREE_EDGE -> {}
    }
    settle();
  }

  void receive(NodeId from, TreeMessage message) throws TreeViolation {
    if (ghs.clearSuspicion(from) && !isComplete() && ghs.isBetterThanReported(from)) {
      ghs.wake();
    }
    if (message instanceof GhsMessage ofGhs) {
      ghs.receive(from, ofGhs);
    } else if (message instanceof Complete complete) {
      onComplete(from, complete);
    } else if (message instanceof Lost lost && lost.fragment().equals(ghs.round().fragment())) {
      lost(lost.edge());
    }
    settle();
  }

  private void onComplete(NodeId from, Complete message) throws TreeViolation {
    if (!message.isOffer()
        && (!ghs.isParent(from) || !message.round().equals(ghs.round()) || ghs.hasLostEdges())) {
      return;
    }
    if (ghs.follow(from, message.edge(), message.round().rank())) {
      ghs.enter(message.round());
      noOutgoingEdge(message.round(), message.tree(), message.isOffer());
    }
  }

  private void settle() {
    boolean progress = true;
    while (progress) {
      progress = auditIfDue() || ghs.answerOneWaiting();
    }
    ghs.checkInvariants();
  }

  /** Looks for what changed while the fragment merged. */
  private boolean auditIfDue() {
    if (!auditDue || tree == null) {
      return false;
    }
    auditDue = false;
    for (LinkWeight edge : tree.edges()) {
      if (edge.touches(ghs.self()) && !ghs.isTreeLink(edge.opposite(ghs.self()))) {
        lost(Edge.of(edge));
        return true;
      }
    }
    MemberList members = tree.members();
    if (ghs.children().keySet().stream().anyMatch(child -> !members.contains(child))
        || ghs.neighbours().stream().anyMatch(peer -> !members.contains(peer))) {
      ghs.wake();
    }
    return true;
  }

  @Override
  public void send(NodeId peer, TreeMessage message) {
    outbox.put(ghs.self(), peer, message);
  }

  @Override
  public void noOutgoingEdge(Round round, FragmentMap complete, boolean isOffer) {
    completedRound = round;
    tree = complete;
    auditDue = true;
    ghs.completed(complete.members());
    List.copyOf(ghs.children().entrySet()).stream()
        .filter(child -> complete.members().contains(child.getKey()))
        .forEach(
            child ->
                send(child.getKey(), new Complete(child.getValue(), round, complete, isOffer)));
  }

  @Override
  public History history() {
    return new Answers(1);
  }

  @Override
  public @Nullable FragmentMap committedSubtree() {
    return null;
  }

  @Override
  public void nonMemberConnects(NodeId peer) {
    if (isComplete() && tree != null && !tree.members().contains(peer)) {
      ghs.wake();
    }
  }

  @Override
  public boolean hasCommittedRound() {
    return ghs.round().equals(completedRound);
  }

  @Override
  public void lost(Edge edge) {
    NodeId parent = ghs.parent();
    if (parent == null) {
      ghs.becomeRootWithout(edge);
    } else {
      ghs.noteLost(edge);
      send(parent, new Lost(ghs.round().fragment(), edge));
    }
  }

  @Override
  public String toString() {
    return ghs.self() + ": " + ghs;
  }
}
