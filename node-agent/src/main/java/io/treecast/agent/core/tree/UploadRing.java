package io.treecast.agent.core.tree;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.contract.UploadEdges;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.RingOffer;
import io.treecast.agent.core.message.PeerMessage.RingVerdict;
import io.treecast.agent.core.message.PeerMessage.UploadLoan;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.broadcast.contract.BroadcastLimits;
import io.treecast.collectives.broadcast.tree.TreePaths;
import io.treecast.collectives.broadcast.tree.TreePlace;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.throughput.BandwidthWeight;
import io.treecast.monitor.throughput.ThroughputExpectation;
import io.treecast.mst.CommittedTree;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides, together with the other members of the committed tree, whether uploads use a {@linkplain
 * RingOrder ring} of all members instead of a tree. On a tree a member divides its uplink among its
 * neighbours; on the ring it sends each chunk once.
 *
 * <p>Each member sends its parent an offer: the throughput of ring and tree in its subtree. A
 * member knows the throughput of its links, and takes the fastest as its uplink. The root compares
 * the times of an upload of {@link #COMPARED_BYTES}, and announces its verdict along the tree. The
 * verdict is for the ring only if every member has links with both of its neighbours on the ring,
 * and the throughput of all these links is known. A member that loses such a link, or takes part in
 * a change of the tree, sends along the tree's edges at once; its next offer makes the root revoke
 * the verdict. A verdict is valid for one version of the tree.
 *
 * <p><b>Loans.</b> A member's share of the logs may be far smaller than the data in transit. The
 * root therefore lends {@link BroadcastLimits#uploadLoanBytes} to one member at a time. A member
 * requests the loan in its offer, with a number that the verdict repeats. Each member forwards one
 * request of its subtree: the granted one until it is withdrawn, then the others in turn. A
 * borrower withdraws its request only when it uses no more than its share. So at most one member of
 * a tree has the loan.
 *
 * <p>Uploads flow in one direction. The edge to the first member of the order does not throttle
 * uploads, so that members cannot wait for each other in a cycle.
 */
public final class UploadRing {
  /** The size of the upload whose times on ring and tree the root compares. */
  static final long COMPARED_BYTES = 16L << 20;

  /** The ring is chosen if its time is at most this part of the tree's time. */
  private static final double WORTH_IT = 0.8;

  /** The smallest tree with a ring. In a smaller one the ring has the same edges as the tree. */
  private static final int LEAST_MEMBERS = 3;

  private static final long RTT_STEP_MICROS = 5_000;

  /** The throughput of a subtree that is unknown or has not been reported. */
  private static final long UNKNOWN = 0;

  /** The last message sent to the other end of a link, in one session. */
  private record LastSent(Link link, long session, PeerMessage message) {}

  private final NodeId self;
  private final BroadcastLimits limits;
  private final Links links;
  private final TreeDriver latency;
  private final WidestTree widest;

  /** The last offer of each neighbour, regardless of its tree version. */
  private final TreeMap<NodeId, RingOffer> offers = new TreeMap<>();

  private final TreeMap<NodeId, LastSent> lastSent = new TreeMap<>();
  private @Nullable CommittedTree tree;
  private @Nullable TreePlace place;
  private RingOrder.@Nullable Place onRing;
  private boolean used;

  /** Whether the root's previous verdict was for the ring, also in an earlier tree. */
  private boolean wasUsed;

  /** The number of this member's requests for the loan. */
  private long requests;

  /** This member's request; null if it needs no loan. */
  private @Nullable UploadLoan request;

  /** The request that this member forwards for its subtree; it may be granted already. */
  private @Nullable UploadLoan chosen;

  private NodeId chosenLast;
  private @Nullable UploadLoan granted;

  UploadRing(CoreConfig config, Links links, TreeDriver latency, WidestTree widest) {
    this.self = config.self();
    this.limits = config.broadcast();
    this.links = links;
    this.latency = latency;
    this.widest = widest;
    this.chosenLast = self;
  }

  /** Sets whether this member needs the loan; returns whether that has changed. */
  boolean needsLoan(boolean need) {
    if (need == (request != null)) {
      return false;
    }
    request = need ? new UploadLoan(self, ++requests) : null;
    return true;
  }

  /** Returns whether this member has the loan. */
  boolean isBorrower() {
    return request != null && request.equals(granted) && latency.phase() == TreePhase.COMMITTED;
  }

  /**
   * Chooses the request to forward for this subtree: the previous one while it stands, else the
   * next in turn.
   */
  private void choose(TreePlace here) {
    TreeMap<NodeId, UploadLoan> requested = new TreeMap<>();
    if (request != null) {
      requested.put(self, request);
    }
    for (NodeId child : here.children()) {
      RingOffer its = offers.get(child);
      UploadLoan loan = its == null || its.treeVersion() != here.treeVersion() ? null : its.loan();
      if (loan != null) {
        requested.put(loan.member(), loan);
      }
    }
    if (chosen != null && chosen.equals(requested.get(chosen.member()))) {
      return;
    }
    var next = requested.higherEntry(chosenLast);
    var first = next == null ? requested.firstEntry() : next;
    chosen = first == null ? null : first.getValue();
    chosenLast = first == null ? chosenLast : first.getKey();
  }

  /** Returns whether the ring would use the link to a peer, in either direction. */
  boolean wouldUse(NodeId peer) {
    RingOrder.Place here = onRing;
    return here != null && (peer.equals(here.previous()) || peer.equals(here.next()));
  }

  /** Returns this member's edges of the ring; null if uploads do not use the ring now. */
  @Nullable UploadEdges edges() {
    RingOrder.Place here = onRing;
    if (!used || here == null || !isWhole(here) || latency.phase() != TreePhase.COMMITTED) {
      return null;
    }
    return new UploadEdges(
        new TreeSet<>(Set.of(here.next())),
        here.isLast() ? Set.of() : Set.of(here.next()),
        Set.of(here.previous()));
  }

  /** Returns whether the links to both neighbours on the ring are up. */
  private boolean isWhole(RingOrder.Place here) {
    return widest.weight(here.previous()) != null && widest.weight(here.next()) != null;
  }

  /**
   * Updates this member's offer and verdict after any change, and sends those that changed.
   *
   * @param treeEdges the edges that uploads use without the ring
   */
  void update(SortedSet<NodeId> treeEdges) {
    follow(latency.tree());
    TreePlace here = place;
    if (here == null) {
      return;
    }
    choose(here);
    RingOffer offer = offer(here, treeEdges);
    NodeId parent = here.parent();
    if (parent == null) {
      used = isWorthIt(offer);
      wasUsed = used;
      granted = chosen;
    } else {
      sendIfChanged(parent, offer, new RingOffer(offer.treeVersion(), UNKNOWN, 0, UNKNOWN, null));
    }
    RingVerdict initial = new RingVerdict(here.treeVersion(), false, null);
    RingVerdict verdict = new RingVerdict(here.treeVersion(), used, granted);
    here.children().forEach(child -> sendIfChanged(child, verdict, initial));
  }

  private void follow(@Nullable CommittedTree committed) {
    if (committed == null || (tree != null && committed.equals(tree))) {
      return;
    }
    tree = committed;
    place = TreePlace.of(self, committed);
    boolean isRing = widest.isEnabled() && committed.members().size() >= LEAST_MEMBERS;
    onRing = isRing ? RingOrder.place(self, committed) : null;
    used = false;
    chosen = null;
    granted = null;
  }

  /**
   * Sends a message to the other end of an edge, unless the other end knows its content.
   *
   * @param initial the message that the other end assumes before it receives one for this tree
   */
  private void sendIfChanged(NodeId peer, PeerMessage message, PeerMessage initial) {
    Link link = links.open(peer);
    if (link == null || link.suspended) {
      return;
    }
    LastSent before = lastSent.get(peer);
    boolean isOfSession =
        before != null && before.link() == link && before.session() == link.session;
    PeerMessage known = isOfSession ? Objects.requireNonNull(before).message() : initial;
    boolean isOfTree = version(known) == version(message);
    if (!message.equals(isOfTree ? known : initial)) {
      lastSent.put(peer, new LastSent(link, link.session, message));
      link.control.send(message);
    }
  }

  private static long version(PeerMessage message) {
    return message instanceof RingOffer offer
        ? offer.treeVersion()
        : message instanceof RingVerdict verdict ? verdict.treeVersion() : TreePlace.NO_TREE;
  }

  /** Returns this member's offer: the throughput of ring and tree in its subtree. */
  private RingOffer offer(TreePlace here, SortedSet<NodeId> treeEdges) {
    RingOffer none = new RingOffer(here.treeVersion(), UNKNOWN, 0, UNKNOWN, chosen);
    RingOrder.Place neighbours = onRing;
    if (neighbours == null || !isWhole(neighbours)) {
      return none;
    }
    long ringKbps = kbps(neighbours.next());
    long rttMicros = rttMicros(neighbours.next());
    long treeKbps = treeKbps(treeEdges);
    for (NodeId child : here.children()) {
      RingOffer its = offers.get(child);
      if (its == null || its.treeVersion() != here.treeVersion()) {
        return none;
      }
      ringKbps = Math.min(ringKbps, its.ringKbps());
      rttMicros = Math.min(RingOffer.MAX_RTT_MICROS, rttMicros + its.rttMicros());
      treeKbps = Math.min(treeKbps, its.treeKbps());
    }
    return ringKbps == UNKNOWN || treeKbps == UNKNOWN
        ? none
        : new RingOffer(here.treeVersion(), ringKbps, rttMicros, treeKbps, chosen);
  }

  /**
   * Returns the rate at which this member sends uploads on the tree, in kbit/s. It forwards each
   * chunk to all neighbours but one. In the middle of a path it sends its own uploads to both.
   */
  private long treeKbps(SortedSet<NodeId> treeEdges) {
    long uplinkKbps = UNKNOWN;
    for (Link link : links.open()) {
      ThroughputExpectation known = link.throughput == null ? null : link.throughput.expectation();
      uplinkKbps = Math.max(uplinkKbps, kbps(link.peer));
      // All links faster than the highest step have the same weight, so the forecast counts too.
      uplinkKbps = Math.max(uplinkKbps, known == null ? UNKNOWN : known.forecastKbps());
    }
    int copies = treeEdges.size() == 2 ? 2 : Math.max(1, treeEdges.size() - 1);
    long least = uplinkKbps / copies;
    for (NodeId neighbour : treeEdges) {
      long kbps = kbps(neighbour);
      least = kbps == UNKNOWN ? least : Math.min(least, kbps);
    }
    return least;
  }

  /** Returns the round trip of a link, rounded up, since an offer is sent after each change. */
  private long rttMicros(NodeId peer) {
    Link link = links.open(peer);
    long micros = link == null ? 0 : link.rttMicros();
    return (micros + RTT_STEP_MICROS - 1) / RTT_STEP_MICROS * RTT_STEP_MICROS;
  }

  private long kbps(NodeId peer) {
    LinkWeight weight = widest.weight(peer);
    return weight == null ? UNKNOWN : BandwidthWeight.kbps(weight.cost());
  }

  /** Returns whether the ring shortens an upload enough. Called at the root. */
  private boolean isWorthIt(RingOffer all) {
    CommittedTree committed = tree;
    if (all.ringKbps() == UNKNOWN || committed == null) {
      return false;
    }
    long returnMicros = diameterMicros(committed) / 2;
    CommittedTree uploads = widest.byRoundTrip();
    long treeMicros = uploads == null ? returnMicros : diameterMicros(uploads) / 2;
    long ringMicros = all.rttMicros() / 2;
    int members = committed.members().size();
    long mostBytes = limits.uploadShareBytes(members) + limits.uploadLoanBytes(members);
    double onTheTree = micros(all.treeKbps(), treeMicros, returnMicros, mostBytes);
    double onTheRing = micros(all.ringKbps(), ringMicros, returnMicros, mostBytes);
    return onTheRing <= onTheTree * (wasUsed ? 1 : WORTH_IT);
  }

  /**
   * Returns the time of the upload. Its share of the logs, with the loan, limits the data in
   * transit: a chunk counts from when it is sent until the origin learns, along the tree by round
   * trip, that all members have it.
   */
  private double micros(long kbps, long oneWayMicros, long returnMicros, long mostBytes) {
    double wireMicros = COMPARED_BYTES * 8_000.0 / kbps;
    double loopMicros = oneWayMicros + 2.0 * returnMicros;
    double windowMicros = COMPARED_BYTES * loopMicros / mostBytes;
    return oneWayMicros + Math.max(wireMicros, windowMicros);
  }

  /** Returns the longest round trip between two members along the tree. */
  private static long diameterMicros(CommittedTree tree) {
    return farthest(tree, farthest(tree, tree.root()).by()).cost();
  }

  /** Returns the member that is farthest from another, and its round trip. */
  private static TreePaths.Path farthest(CommittedTree tree, NodeId from) {
    TreePaths paths = new TreePaths(from);
    paths.treeCommitted(tree);
    TreePaths.Path farthest = new TreePaths.Path(from, 0, 0);
    for (var path : paths.all().entrySet()) {
      if (path.getValue().cost() > farthest.cost()) {
        farthest = new TreePaths.Path(path.getKey(), 0, path.getValue().cost());
      }
    }
    return farthest;
  }

  /**
   * Handles a message if it is about the ring.
   *
   * @return whether it is about the ring
   */
  boolean received(Link link, PeerMessage message) {
    if (message instanceof RingOffer offer) {
      offers.put(link.peer, offer);
    } else if (message instanceof RingVerdict verdict) {
      TreePlace here = place;
      if (here != null
          && link.peer.equals(here.parent())
          && verdict.treeVersion() == here.treeVersion()) {
        used = verdict.used();
        granted = verdict.loan();
      }
    } else {
      return false;
    }
    return true;
  }

  /** Handles the end of the link's session. */
  void lost(Link link) {
    offers.remove(link.peer);
    lastSent.remove(link.peer);
    if (place != null && link.peer.equals(place.parent())) {
      used = false; // Further verdicts do not arrive.
      granted = null;
    }
  }
}
