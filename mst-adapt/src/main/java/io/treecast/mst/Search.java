package io.treecast.mst;

import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.NodeState.Attachment;
import io.treecast.mst.RankedMessage.Initiate;
import io.treecast.mst.RankedMessage.OutgoingEdge;
import io.treecast.mst.RankedMessage.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The search of a fragment for its minimum outgoing edge: one wave down with Initiate, one echo up
 * with Report. Down goes the list of members; up come the lightest link to somebody who is not on
 * it, and who answered. Used in the node's thread only.
 */
final class Search {
  private final NodeState state;
  private final RankedTree node;

  private boolean underWay;
  private MemberList members;
  private final TreeSet<NodeId> awaited = new TreeSet<>();
  private final List<Subtree> echoes = new ArrayList<>();

  /** By child, the list that it was offered in this search. */
  private final Map<NodeId, MemberList> offered = new TreeMap<>();

  private @Nullable OutgoingEdge best;

  /** The child behind which the best link is; null if it is a link of this node. */
  private @Nullable NodeId bestBehind;

  private long crossing;
  private boolean listWasWrong;
  private History history = History.NONE;

  /** The last echo; null if a commit is newer. */
  private @Nullable Subtree echo;

  Search(NodeState state, RankedTree node) {
    this.state = state;
    this.node = node;
    this.members = MemberList.of(state.self);
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether the node takes that one for a member of its fragment. */
  boolean isMember(NodeId peer) {
    return members.contains(peer);
  }

  @Nullable OutgoingEdge best() {
    return best;
  }

  @Nullable NodeId bestBehind() {
    return bestBehind;
  }

  long crossing() {
    return crossing;
  }

  /** The value of the whole fragment, which the new root was handed. */
  void inheritCrossing(long ofFragment) {
    crossing = ofFragment;
  }

  boolean listWasWrong() {
    return listWasWrong;
  }

  MemberList members() {
    return members;
  }

  Set<NodeId> awaited() {
    return awaited;
  }

  /** A root starts the next round of its fragment. */
  void start() {
    if (!state.isRoot()) {
      throw new IllegalStateException(state.self + " is not the root and can not start a search");
    }
    state.enter(state.round().next());
    begin(state.map.members());
  }

  /**
   * Passes the wave on. Requests to join that wait are answered before the node looks at its own
   * links: whoever is behind one searches along, instead of being found in the next round.
   */
  private void begin(MemberList taken) {
    members = taken;
    state.suspects.removeIf(taken::contains);
    underWay = true;
    state.roundRequested = false;
    state.lostEdges.clear();
    echoes.clear();
    offered.clear();
    best = null;
    bestBehind = null;
    crossing = 0;
    listWasWrong = false;
    history = History.NONE;
    awaited.clear();
    awaited.addAll(state.children.keySet());
    state.children.forEach(
        (child, edge) ->
            state.send(child, new Initiate(edge, state.round(), taken, state.suspects)));
    node.admission.offerToWaiting();
    reportIfComplete();
  }

  /** The wave from the parent, or the offer that answers this node's Connect. */
  void onInitiate(NodeId peer, Initiate message) throws TreeViolation {
    if (!node.joining.follow(peer, message.edge(), message.round().rank())) {
      return;
    }
    state.enter(message.round());
    message.suspects().forEach(this::suspect);
    begin(message.members());
  }

  /** Not if he asks to join: then he lives. */
  void suspect(NodeId who) {
    if (!node.admission.isWaiting(who)) {
      state.suspects.add(who);
    }
  }

  /** The search includes a fragment that is joining: its list is checked against its answers. */
  void include(NodeId child, MemberList itsMembers) {
    offered.put(child, itsMembers);
    awaited.add(child);
  }

  /** Whatever is behind a former child is not waited for. The caller sees to what follows. */
  void exclude(NodeId formerChild) {
    awaited.remove(formerChild);
  }

  /** The echo of a child. One of another round, or of a former child, is void. */
  void onReport(NodeId peer, Report message) throws TreeViolation {
    if (!message.round().equals(state.round()) || !awaited.contains(peer)) {
      return;
    }
    Subtree answered = message.echo();
    if (!answered.node().equals(peer)) {
      throw new TreeViolation(peer + " reported the echo of " + answered.node());
    }
    LinkWeight edge = answered.parentEdge();
    if (edge == null || !edge.touches(state.self)) {
      throw new TreeViolation(
          peer + " reported the edge " + edge + " as the one to its parent " + state.self);
    }
    awaited.remove(peer);
    listWasWrong |= message.listWasWrong() || wasOfferedMoreThan(peer, answered);
    echoes.add(answered);
    OutgoingEdge candidate = message.best();
    if (candidate != null && isBetter(candidate.weight())) {
      best = candidate;
      bestBehind = peer;
    }
    crossing ^= message.crossing();
    history = history.joinedWith(message.history());
    reportIfComplete();
  }

  /**
   * A list that names somebody who left would hide a link to him. So every list that is used in a
   * round is validated by the answers of that round, those of offers too.
   */
  private boolean wasOfferedMoreThan(NodeId child, Subtree answered) {
    MemberList list = offered.remove(child);
    return list != null && !MemberList.of(answered.nodes()).containsAll(list);
  }

  /** Whether that is lighter than every outgoing link found so far, here and below. */
  boolean isBetter(LinkWeight weight) {
    return best == null || weight.compareTo(best.weight()) < 0;
  }

  /**
   * Answers when all children have. The own links are looked at now, as late as possible, so that
   * what changed since the wave came down needs no further round.
   */
  void reportIfComplete() {
    if (!underWay || !awaited.isEmpty()) {
      return;
    }
    underWay = false;
    for (Link link : state.links.all()) {
      if (state.suspects.contains(link.peer())) {
        continue;
      }
      crossing ^= link.fingerprint();
      boolean leaves = !isMember(link.peer()) && !state.isTreeLink(link.peer());
      if (leaves && isBetter(link.weight())) {
        best = new OutgoingEdge(link.weight(), link.peer());
        bestBehind = null;
      }
    }
    Subtree own = new Subtree(state.self, state.parentWeight(), echoes);
    echo = own;
    CommittedView committed = node.commitment.view();
    long version = committed == null ? 0 : committed.tree().version();
    history = history.joinedWith(new History(version, state.causes.report()));
    Attachment parent = state.parent();
    if (parent == null) {
      node.joining.decide(FragmentMap.of(own, history));
    } else {
      state.send(
          parent.peer(), new Report(state.round(), best, own, crossing, listWasWrong, history));
    }
  }

  /** A commit ends whatever search it overtook. */
  void end(MemberList committedMembers) {
    underWay = false;
    awaited.clear();
    members = committedMembers;
    echo = null;
  }

  /** What is known to be connected with this node when the edge to its parent is gone. */
  FragmentMap ownSubtree() {
    FragmentMap known;
    CommittedView committed = node.commitment.view();
    if (echo != null) {
      known = FragmentMap.of(echo, History.NONE);
    } else if (committed != null) {
      known = committed.subtree(state.self);
    } else {
      known = FragmentMap.alone(state.self);
    }
    return state.without(known, state.lostEdges);
  }
}
