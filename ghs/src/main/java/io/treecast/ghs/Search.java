package io.treecast.ghs;

import io.treecast.ghs.Fragment.Attachment;
import io.treecast.ghs.GhsMessage.Initiate;
import io.treecast.ghs.GhsMessage.OutgoingEdge;
import io.treecast.ghs.GhsMessage.Report;
import io.treecast.ghs.GhsMessage.Wake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The search of a fragment for its minimum outgoing edge. Initiate goes down the tree with the list
 * of members, and Report comes up with the lightest link to a node outside the list, and with the
 * nodes that answered.
 */
final class Search {
  private final Fragment fragment;
  private final GhsNode node;

  private boolean underWay;
  private MemberList members;
  private final TreeSet<NodeId> awaited = new TreeSet<>();
  private final List<Subtree> echoes = new ArrayList<>();

  /** The list that each child was offered in this search. */
  private final Map<NodeId, MemberList> offered = new TreeMap<>();

  private @Nullable OutgoingEdge best;

  /** The child that leads to the best link; null if it is a link of this node. */
  private @Nullable NodeId bestBehind;

  private long crossing;
  private boolean listWasWrong;
  private History history = History.NONE;

  /** The last echo; null if a commit is newer. */
  private @Nullable Subtree echo;

  private @Nullable WakeUp lastWake;

  private record WakeUp(Round round, NodeId parent) {}

  Search(Fragment fragment, GhsNode node) {
    this.fragment = fragment;
    this.node = node;
    this.members = MemberList.of(fragment.self);
  }

  boolean isUnderWay() {
    return underWay;
  }

  /** Whether this node considers the peer a member of its fragment. */
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

  /** Takes over the value for the whole fragment from the old root. */
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

  /** Starts the next round of the fragment, at its root. */
  void start() {
    if (!fragment.isRoot()) {
      throw new IllegalStateException(fragment.self + " is not the root and cannot start a search");
    }
    fragment.enter(fragment.round().next());
    begin(fragment.map.members());
  }

  /**
   * Makes this node the root of a new fragment, of the next epoch, and starts its search.
   *
   * @param guess the nodes that are probably connected with it
   */
  void startAsRoot(FragmentMap guess) {
    fragment.detach();
    fragment.found(fragment.rank().nextEpoch());
    fragment.map = guess;
    start();
  }

  /**
   * Requests another search, because an edge may leave the fragment that the last one did not see.
   * A busy root starts it when its search or Connect has a result. A node sends Wake to its parent
   * at most once in each round.
   */
  void wake() {
    Attachment parent = fragment.parent();
    if (parent != null) {
      WakeUp wake = new WakeUp(fragment.round(), parent.peer());
      if (!wake.equals(lastWake)) {
        lastWake = wake;
        fragment.send(parent.peer(), new Wake(fragment.round()));
      }
    } else if (node.connecting.isPending()) {
      fragment.searchRequested = true;
      node.connecting.cancel();
    } else if (underWay) {
      fragment.searchRequested = true;
    } else {
      start();
    }
  }

  /**
   * Ignores a Wake from before the present search: its sender had not seen that search, and will
   * report the edge in it.
   */
  void onWake(Wake message) {
    if (message.round().equals(fragment.round())) {
      wake();
    }
  }

  /**
   * Passes Initiate on. Connects that wait are answered before the node looks at its own links, so
   * that the nodes behind them take part in this search instead of being found in the next one.
   */
  private void begin(MemberList taken) {
    members = taken;
    fragment.suspects.removeIf(taken::contains);
    underWay = true;
    fragment.searchRequested = false;
    fragment.lostEdges.clear();
    echoes.clear();
    offered.clear();
    best = null;
    bestBehind = null;
    crossing = 0;
    listWasWrong = false;
    history = History.NONE;
    awaited.clear();
    awaited.addAll(fragment.children.keySet());
    fragment.children.forEach(
        (child, edge) ->
            fragment.send(child, new Initiate(edge, fragment.round(), taken, fragment.suspects)));
    node.admission.offerToWaiting();
    reportIfComplete();
  }

  /** Initiate from the parent, or as the offer that answers this node's Connect. */
  void onInitiate(NodeId peer, Initiate message) throws TreeViolation {
    if (!node.connecting.follow(peer, message.edge(), message.round().rank())) {
      return;
    }
    fragment.enter(message.round());
    message.suspects().forEach(this::suspect);
    begin(message.members());
  }

  /** Suspects a node, unless its Connect is waiting here, which shows that it is alive. */
  void suspect(NodeId suspected) {
    if (!node.admission.isWaiting(suspected)) {
      fragment.suspects.add(suspected);
    }
  }

  /** Includes a fragment that is joining. Its list is checked against its answers later. */
  void include(NodeId child, MemberList itsMembers) {
    offered.put(child, itsMembers);
    awaited.add(child);
  }

  /** Stops awaiting a former child. The caller handles the consequences. */
  void exclude(NodeId formerChild) {
    awaited.remove(formerChild);
  }

  /** The Report of a child. It is void if it is of another round, or if the child has left. */
  void onReport(NodeId peer, Report message) throws TreeViolation {
    if (!message.round().equals(fragment.round()) || !awaited.contains(peer)) {
      return;
    }
    Subtree answered = message.echo();
    if (!answered.node().equals(peer)) {
      throw new TreeViolation(peer + " reported the echo of " + answered.node());
    }
    LinkWeight edge = answered.parentEdge();
    if (edge == null || !edge.touches(fragment.self)) {
      throw new TreeViolation(
          peer + " reported the edge " + edge + " as the one to its parent " + fragment.self);
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
   * A list that names a node that has left would hide a link to it. So the answers of a round
   * validate every list that was used in it, including the lists in offers.
   */
  private boolean wasOfferedMoreThan(NodeId child, Subtree answered) {
    MemberList list = offered.remove(child);
    return list != null && !MemberList.of(answered.nodes()).containsAll(list);
  }

  /** Whether the weight is lower than that of every outgoing link found so far, here and below. */
  boolean isBetter(LinkWeight weight) {
    return best == null || weight.compareTo(best.weight()) < 0;
  }

  /**
   * Reports when all children have. The node looks at its own links now, as late as possible, so
   * that a change since the Initiate needs no further round.
   */
  void reportIfComplete() {
    if (!underWay || !awaited.isEmpty()) {
      return;
    }
    underWay = false;
    for (Link link : fragment.links.all()) {
      if (fragment.suspects.contains(link.peer())) {
        continue;
      }
      crossing ^= link.fingerprint();
      boolean leaves = !isMember(link.peer()) && !fragment.isTreeLink(link.peer());
      if (leaves && isBetter(link.weight())) {
        best = new OutgoingEdge(link.weight(), link.peer());
        bestBehind = null;
      }
    }
    Subtree own = new Subtree(fragment.self, fragment.parentWeight(), echoes);
    echo = own;
    history = history.joinedWith(fragment.keeper.history());
    Attachment parent = fragment.parent();
    if (parent == null) {
      node.connecting.decide(FragmentMap.of(own, history));
    } else {
      fragment.send(
          parent.peer(), new Report(fragment.round(), best, own, crossing, listWasWrong, history));
    }
  }

  /**
   * Whether this node has reported, and its link to the peer is better than what it reported. Other
   * links can wait for the next search or the commit: they are not the minimum outgoing edge.
   */
  boolean isBetterThanReported(NodeId peer) {
    return !underWay
        && !isMember(peer)
        && !fragment.isTreeLink(peer)
        && isBetter(fragment.links.weight(peer));
  }

  /** Ends a search that the commit of its fragment overtook. */
  void end(MemberList committedMembers) {
    underWay = false;
    awaited.clear();
    members = committedMembers;
    echo = null;
  }

  /** The nodes known to be connected with this one when the edge to its parent is gone. */
  FragmentMap ownSubtree() {
    if (echo != null) {
      return fragment.without(FragmentMap.of(echo, History.NONE), fragment.lostEdges);
    }
    FragmentMap committed = fragment.keeper.committedSubtree();
    return fragment.without(
        committed == null ? FragmentMap.alone(fragment.self) : committed, fragment.lostEdges);
  }
}
