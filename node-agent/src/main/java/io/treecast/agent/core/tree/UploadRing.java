package io.treecast.agent.core.tree;

import io.treecast.agent.core.contract.TreePhase;
import io.treecast.agent.core.contract.UploadEdges;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.RingLoan;
import io.treecast.agent.core.message.PeerMessage.RingOffer;
import io.treecast.agent.core.message.PeerMessage.RingVerdict;
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
 * Finds out, with the other members of the committed tree, whether uploads go round a {@linkplain
 * RingOrder ring} of them instead of along a tree. On a tree a member shares its uplink among its
 * neighbours; on the ring it sends each chunk once.
 *
 * <p>Each member tells its parent what the ring and the tree carry in its subtree: it knows how
 * fast its links are, and takes the fastest for its uplink. The root compares how long an upload of
 * {@link #COMPARED_BYTES} takes, and tells everybody. It says yes only if every member is linked
 * with both of its neighbours on the ring, and the throughput of all these links is known. A member
 * that loses such a link, or takes part in a change of the tree, sends along the tree's edges at
 * once; the root hears of it, and says no. The verdict is of one version of the tree.
 *
 * <p><b>Loans.</b> The share of a member in the logs is far less than fits on the way round. Where
 * that is so, the root lends {@link BroadcastLimits#uploadLoanBytes} to one member at a time. A
 * member requests it with its offer, by a number that the verdict repeats, and from its subtree
 * tells the request that was granted before until that one is withdrawn, then the others in turn. A
 * borrower withdraws its request only when it uses no more than its share. So no two members of a
 * tree have the loan at once.
 *
 * <p>Uploads flow in one direction. The edge to the first member of the order holds nothing back,
 * so that no members wait for each other in a circle.
 */
public final class UploadRing {
  /** The root compares how long an upload of this size takes. */
  static final long COMPARED_BYTES = 8L << 20;

  /** The ring is taken if the upload takes no more than this part of the time on it. */
  private static final double WORTH_IT = 0.8;

  /** In a smaller tree the ring has the edges of the tree, or about those. */
  private static final int LEAST_MEMBERS = 3;

  /** Stands for a member that does not know, or has reported nothing. */
  private static final long UNKNOWN = 0;

  /** The last message sent to the other end of a link, in one session. */
  private record Told(Link link, long session, PeerMessage message) {}

  private final NodeId self;
  private final BroadcastLimits limits;
  private final Links links;
  private final TreeDriver latency;
  private final WidestTree widest;

  /** The last offer of each neighbour, for whatever tree. */
  private final TreeMap<NodeId, RingOffer> offers = new TreeMap<>();

  private final TreeMap<NodeId, Told> told = new TreeMap<>();
  private @Nullable CommittedTree tree;
  private @Nullable TreePlace place;
  private RingOrder.@Nullable Place onRing;
  private boolean used;

  /** Whether it was on the tree before, at the root. */
  private boolean wasUsed;

  /** How often this member has requested the loan; its last request, null if it needs none. */
  private long requests;

  private @Nullable RingLoan request;

  /** The request of this member's subtree that is granted, or is to be. */
  private @Nullable RingLoan chosen;

  private NodeId chosenLast;
  private @Nullable RingLoan granted;

  UploadRing(CoreConfig config, Links links, TreeDriver latency, WidestTree widest) {
    this.self = config.self();
    this.limits = config.broadcast();
    this.links = links;
    this.latency = latency;
    this.widest = widest;
    this.chosenLast = self;
  }

  /** Sets whether this member needs the loan; returns whether that is new. */
  boolean needsLoan(boolean need) {
    if (need == (request != null)) {
      return false;
    }
    request = need ? new RingLoan(self, ++requests) : null;
    return true;
  }

  /** Returns whether this member has the loan. */
  boolean isBorrower() {
    return used && request != null && request.equals(granted);
  }

  /** Chooses the request of this subtree: the same as before, or the next in turn. */
  private void choose(TreePlace here) {
    TreeMap<NodeId, RingLoan> requested = new TreeMap<>();
    if (request != null) {
      requested.put(self, request);
    }
    for (NodeId child : here.children()) {
      RingOffer its = offers.get(child);
      RingLoan loan = its == null || its.treeVersion() != here.treeVersion() ? null : its.loan();
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

  /** The edges of the ring along which uploads go now; null if they do not go along it. */
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

  /** Whether the links to both neighbours are up. */
  private boolean isWhole(RingOrder.Place here) {
    return widest.weight(here.previous()) != null && widest.weight(here.next()) != null;
  }

  /**
   * Looks at what may have changed, and tells it.
   *
   * @param treeEdges along which uploads go if they do not go round
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
      granted = used ? chosen : null;
    } else {
      tell(parent, offer, new RingOffer(offer.treeVersion(), UNKNOWN, 0, UNKNOWN, null));
    }
    RingVerdict not = new RingVerdict(here.treeVersion(), false, null);
    RingVerdict verdict = new RingVerdict(here.treeVersion(), used, granted);
    here.children().forEach(child -> tell(child, verdict, not));
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
   * Tells the other end of an edge something, if it does not know it.
   *
   * @param untold what it takes for granted as long as it was told nothing of this tree
   */
  private void tell(NodeId peer, PeerMessage message, PeerMessage untold) {
    Link link = links.open(peer);
    if (link == null || link.suspended) {
      return;
    }
    Told before = told.get(peer);
    boolean isOfSession =
        before != null && before.link() == link && before.session() == link.session;
    PeerMessage known = isOfSession ? Objects.requireNonNull(before).message() : untold;
    boolean isOfTree = version(known) == version(message);
    if (!message.equals(isOfTree ? known : untold)) {
      told.put(peer, new Told(link, link.session, message));
      link.control.send(message);
    }
  }

  private static long version(PeerMessage message) {
    return message instanceof RingOffer offer
        ? offer.treeVersion()
        : message instanceof RingVerdict verdict ? verdict.treeVersion() : TreePlace.NO_TREE;
  }

  /** Returns the capacities of ring and tree in this member's subtree. */
  private RingOffer offer(TreePlace here, SortedSet<NodeId> treeEdges) {
    RingOffer none = new RingOffer(here.treeVersion(), UNKNOWN, 0, UNKNOWN, null);
    RingOrder.Place neighbours = onRing;
    if (neighbours == null || !isWhole(neighbours)) {
      return none;
    }
    LinkWeight next = Objects.requireNonNull(widest.weight(neighbours.next()));
    long ringKbps = BandwidthWeight.kbps(next.cost());
    long rttMicros = BandwidthWeight.rttMicros(next.cost());
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
   * Returns the rate at which this member forwards on the tree: it passes each chunk on to all but
   * one.
   */
  private long treeKbps(SortedSet<NodeId> treeEdges) {
    long uplinkKbps = UNKNOWN;
    for (Link link : links.open()) {
      ThroughputExpectation known = link.throughput == null ? null : link.throughput.expectation();
      uplinkKbps = Math.max(uplinkKbps, kbps(link.peer));
      // The steps do not tell links apart that are faster than the highest.
      uplinkKbps = Math.max(uplinkKbps, known == null ? UNKNOWN : known.forecastKbps());
    }
    long least = uplinkKbps / Math.max(1, treeEdges.size() - 1);
    for (NodeId neighbour : treeEdges) {
      long kbps = kbps(neighbour);
      least = kbps == UNKNOWN ? least : Math.min(least, kbps);
    }
    return least;
  }

  private long kbps(NodeId peer) {
    LinkWeight weight = widest.weight(peer);
    return weight == null ? UNKNOWN : BandwidthWeight.kbps(weight.cost());
  }

  /** At the root: whether an upload takes so much less time on the ring. */
  private boolean isWorthIt(RingOffer all) {
    CommittedTree committed = tree;
    if (all.ringKbps() == UNKNOWN || committed == null) {
      return false;
    }
    long treeMicros = diameterMicros(committed) / 2;
    long ringMicros = all.rttMicros() / 2;
    int members = committed.members().size();
    long treeBytes = limits.uploadShareBytes(members);
    long ringBytes = limits.uploadShareBesideLoanBytes(members) + limits.uploadLoanBytes(members);
    double onTheTree = micros(all.treeKbps(), treeMicros, treeMicros, treeBytes);
    double onTheRing = micros(all.ringKbps(), ringMicros, treeMicros, ringBytes);
    return onTheRing <= onTheTree * (wasUsed ? 1 : WORTH_IT);
  }

  /**
   * How long the upload takes. No more of it is under way than its share of the logs, from when it
   * is sent until its origin hears along the tree of round trips that all have it. On the ring it
   * has the loan.
   */
  private double micros(long kbps, long oneWayMicros, long treeMicros, long shareBytes) {
    double wireMicros = COMPARED_BYTES * 8_000.0 / kbps;
    double loopMicros = oneWayMicros + 2.0 * treeMicros;
    double windowMicros = COMPARED_BYTES * loopMicros / shareBytes;
    return oneWayMicros + Math.max(wireMicros, windowMicros);
  }

  /** The longest round trip between two members along the tree. */
  private static long diameterMicros(CommittedTree tree) {
    return farthest(tree, farthest(tree, tree.root()).by()).cost();
  }

  /** The member that is farthest from another, and how far that is. */
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
   * Deals with a message if it is about the ring.
   *
   * @return whether it was
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

  /** The session of this link is over. */
  void lost(Link link) {
    offers.remove(link.peer);
    told.remove(link.peer);
    if (place != null && link.peer.equals(place.parent())) {
      used = false; // What the root says now cannot be heard.
    }
  }
}
