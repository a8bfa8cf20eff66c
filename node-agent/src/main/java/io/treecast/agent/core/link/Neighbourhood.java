package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.LinkPurpose;
import io.treecast.agent.core.message.Nearby;
import io.treecast.agent.core.message.PeerMessage.LinkedMembers;
import io.treecast.agent.core.settings.OverlayLimits;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the members with which an agent wants a link in a cluster that is too large for a full
 * mesh: those whose links are likely to be in a minimum spanning tree, and those that keep the
 * cluster connected.
 *
 * <ul>
 *   <li>The <em>nearest</em>. They are found as in NN-Descent (Dong, Moses, Li, WWW 2011): linked
 *       agents send each other their links and round trips, wanted or not, since a neighbour of a
 *       near member is probably near. Such a member is linked on <em>trial</em>, and measured. By
 *       the triangle inequality, its round trip is at least the difference between its own and this
 *       agent's round trip to a common neighbour. The member with the least such bound is tried
 *       first; a member whose bound exceeds the farthest of the nearest is not tried.
 *   <li><em>Any</em> other member, one at a time, since round trips change: the one that was tried
 *       longest ago.
 *   <li>A few <em>random</em> members, selected by the hash of both ids.
 *   <li><em>Strangers</em>, which are members outside of this agent's tree. The members of a tree
 *       share the search: a few of them try each stranger for a while, then others do. So two parts
 *       of a cluster find each other over any pair that can link, and not all members dial a dead
 *       one.
 * </ul>
 */
public final class Neighbourhood {
  /** The maximum number of concurrent trials. */
  static final int MAX_TRIALS = 4;

  /** How long a member is not tried after a failed attempt, unless it is a stranger. */
  static final long UNAVAILABLE_NANOS = 60_000_000_000L;

  /** The average number of members of a tree that try the same stranger at once. */
  static final int SEARCHERS = 4;

  /** The maximum number of strangers that one member tries at once. */
  static final int MAX_STRANGERS = 8;

  /**
   * The least interval of reports of this agent's links while there are promising members to try.
   */
  static final long TELL_NANOS = 5_000_000_000L;

  /** The least interval otherwise. */
  static final long QUIET_TELL_NANOS = 60_000_000_000L;

  /** An unknown round trip. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  private final NodeId self;
  private final OverlayLimits limits;
  private final long searchNanos;
  private final RoundTrips roundTrips = new RoundTrips();

  /** The links that linked members have reported. */
  private final TreeMap<NodeId, List<Nearby>> reported = new TreeMap<>();

  /**
   * The reported links, indexed by their other end: the members that reported them, with the round
   * trips.
   */
  private final Map<NodeId, Map<NodeId, Long>> reportedBy = new HashMap<>();

  /** Until when members must not be tried. */
  private final Map<NodeId, Long> unavailableUntilNanos = new HashMap<>();

  private final TreeSet<NodeId> trials = new TreeSet<>();
  private final Map<NodeId, LinkPurpose> purposes = new LinkedHashMap<>();

  /** The nearest members; null if they must be recomputed. */
  private @Nullable List<Nearby> near;

  private List<Nearby> linkedNearby = List.of();
  private long linkedVersion;
  private long lastTellNanos;
  private long nextExploreNanos = Long.MIN_VALUE;

  /** Whether there may be promising members that have not been tried. */
  private boolean finding;

  private Set<NodeId> known = Set.of();
  private Set<NodeId> linked = Set.of();
  private @Nullable CommittedTree tree;

  /** All known members, in this agent's order of random choice. */
  private List<NodeId> randomOrder = List.of();

  /** The known members outside of the tree; empty without a tree. */
  private List<NodeId> strangers = List.of();

  /**
   * Creates an instance without wanted members.
   *
   * @param searchNanos how long the same members try a stranger
   */
  public Neighbourhood(NodeId self, OverlayLimits limits, long searchNanos) {
    this.self = self;
    this.limits = limits;
    this.searchNanos = searchNanos;
  }

  /** Returns why a link with this member is wanted; null if it is not. */
  @Nullable LinkPurpose purpose(NodeId member) {
    return purposes.get(member);
  }

  /** Returns all wanted members with their purposes. */
  public Map<NodeId, LinkPurpose> purposes() {
    return Collections.unmodifiableMap(purposes);
  }

  /** Returns the measured linked members of the latest report to others. */
  public List<Nearby> linkedNearby() {
    return linkedNearby;
  }

  /** Returns the measured linked members as of now, even if no report is due. */
  public List<Nearby> linkedNow() {
    return roundTrips.sorted(linked, LinkedMembers.MAX_COUNT);
  }

  /** Returns the number of reports so far, each with a different set of members. */
  public long linkedVersion() {
    return linkedVersion;
  }

  /** Returns the round trip to a member in microseconds; {@link #UNKNOWN} if unknown. */
  public long rttMicros(NodeId member) {
    return roundTrips.rttMicros(member);
  }

  /**
   * Returns the shortest detour, which is the round trip to this member over a third one, in
   * microseconds. It is computed from this agent's links and those that others have reported;
   * {@link #UNKNOWN} if there is no such path.
   */
  public long detourMicros(NodeId member) {
    long least = UNKNOWN;
    for (Nearby common : reported.getOrDefault(member, List.of())) {
      least = Math.min(least, overMicros(common.id(), common.rttMicros()));
    }
    for (Map.Entry<NodeId, Long> common : reportedBy.getOrDefault(member, Map.of()).entrySet()) {
      least = Math.min(least, overMicros(common.getKey(), common.getValue()));
    }
    return least;
  }

  private long overMicros(NodeId common, long beyondMicros) {
    long firstMicros = rttMicros(common);
    // The comparison avoids overflow by an arbitrary value of a peer.
    return beyondMicros < UNKNOWN - firstMicros ? firstMicros + beyondMicros : UNKNOWN;
  }

  /** Returns whether the member is outside of this agent's tree. */
  boolean isNonMember(NodeId member) {
    return tree == null || !tree.hasMember(member);
  }

  /** Notes that a link with this member was measured. */
  public void measured(NodeId member, long rttMicros) {
    long before = roundTrips.rttMicros(member);
    roundTrips.measured(member, rttMicros);
    trials.remove(member);
    boolean isNews = before != rttMicros && Math.min(before, rttMicros) <= farthestMicros();
    if (unavailableUntilNanos.remove(member) != null || isNews) {
      near = null;
    }
  }

  /**
   * Returns the round trip of the farthest of the nearest members; {@link Long#MAX_VALUE} if there
   * are fewer than wanted, or they must be recomputed.
   */
  private long farthestMicros() {
    return near == null || near.size() < limits.nearest()
        ? Long.MAX_VALUE
        : near.get(near.size() - 1).rttMicros();
  }

  /** Handles a linked member's report of its links. */
  public void reported(NodeId member, List<Nearby> itsLinks) {
    forgetReport(member);
    reported.put(member, itsLinks);
    for (Nearby link : itsLinks) {
      reportedBy
          .computeIfAbsent(link.id(), id -> new TreeMap<>())
          .merge(member, link.rttMicros(), Math::min);
    }
    finding =
        finding
            || itsLinks.stream()
                .map(Nearby::id)
                .anyMatch(id -> !id.equals(self) && !roundTrips.isTried(id));
  }

  /** Notes that the link with this member was lost. */
  void lost(NodeId member, long nowNanos) {
    forgetReport(member);
    near = null;
    if (trials.contains(member)) {
      unreached(member, nowNanos);
    }
  }

  private void forgetReport(NodeId member) {
    List<Nearby> itsLinks = reported.remove(member);
    if (itsLinks != null) {
      for (Nearby link : itsLinks) {
        reportedBy.computeIfPresent(
            link.id(), (id, by) -> by.remove(member) != null && by.isEmpty() ? null : by);
      }
    }
  }

  /** Notes that this member cannot be reached. */
  void unreached(NodeId member, long nowNanos) {
    roundTrips.failed(member);
    unavailable(member, nowNanos);
  }

  /** Notes that this member is not available for a link. */
  void unavailable(NodeId member, long nowNanos) {
    unavailableUntilNanos.put(member, nowNanos + UNAVAILABLE_NANOS);
    // So it is not dialed again before the next review.
    purposes.remove(member, LinkPurpose.NEAREST);
    purposes.remove(member, LinkPurpose.RANDOM);
    purposes.remove(member, LinkPurpose.TRIAL);
    near = null;
  }

  void forget(NodeId member) {
    roundTrips.forget(member);
    near = null;
    unavailableUntilNanos.remove(member);
    trials.remove(member);
    purposes.remove(member);
    // Recomputed, since another member may become known in its place.
    randomOrder = List.of();
  }

  /**
   * Decides which links are wanted.
   *
   * @param knownMembers all members that this agent knows
   * @param committed the committed tree; null if there is none
   * @param linkedMembers the members that this agent has links with
   * @param places the number of further links that it may have
   */
  public void review(
      Set<NodeId> knownMembers,
      @Nullable CommittedTree committed,
      Set<NodeId> linkedMembers,
      int places,
      long nowNanos) {
    updateMembers(knownMembers, committed);
    linked = linkedMembers;
    boolean isAvailable =
        unavailableUntilNanos.values().removeIf(untilNanos -> untilNanos <= nowNanos);
    List<Nearby> wanted = near;
    if (wanted == null || isAvailable) {
      wanted = roundTrips.nearest(limits.nearest(), this::isCandidate);
      near = wanted;
    }
    purposes.clear();
    wanted.forEach(member -> purposes.put(member.id(), LinkPurpose.NEAREST));
    updateReport(nowNanos);
    chooseAtRandom();
    searchStrangers(nowNanos);
    tryOthers(places, nowNanos);
  }

  private void updateMembers(Set<NodeId> knownMembers, @Nullable CommittedTree committed) {
    boolean isKnownChanged = randomOrder.size() != knownMembers.size();
    if (isKnownChanged) {
      known = Set.copyOf(knownMembers);
      TreeMap<Long, NodeId> order = new TreeMap<>();
      knownMembers.forEach(id -> order.put(PairHash.of(self, id, 0), id));
      randomOrder = List.copyOf(order.values());
    }
    if (isKnownChanged || !Objects.equals(tree, committed)) {
      near = null;
      tree = committed;
      strangers =
          committed == null
              ? List.of()
              : randomOrder.stream().filter(id -> !committed.hasMember(id)).toList();
    }
  }

  /**
   * Returns whether this is a reachable member of this agent's tree, or of the cluster if there is
   * no tree.
   */
  private boolean isCandidate(NodeId id) {
    return known.contains(id)
        && (tree == null || tree.hasMember(id))
        && (linked.contains(id) || !unavailableUntilNanos.containsKey(id));
  }

  private void updateReport(long nowNanos) {
    if (linkedVersion > 0 && nowNanos - lastTellNanos < (finding ? TELL_NANOS : QUIET_TELL_NANOS)) {
      return;
    }
    List<Nearby> present = linkedNow();
    if (!names(present).equals(names(linkedNearby))) {
      linkedNearby = present;
      linkedVersion++;
      lastTellNanos = nowNanos;
    }
  }

  private static Set<NodeId> names(List<Nearby> members) {
    return members.stream().map(Nearby::id).collect(Collectors.toSet());
  }

  private void chooseAtRandom() {
    int chosen = 0;
    for (NodeId id : randomOrder) {
      if (chosen == limits.random()) {
        return;
      }
      if (isCandidate(id)) {
        purposes.putIfAbsent(id, LinkPurpose.RANDOM);
        chosen++;
      }
    }
  }

  /**
   * Chooses the strangers to try. Each member decides by itself, so that on average {@link
   * #SEARCHERS} members of the tree try the same stranger.
   */
  private void searchStrangers(long nowNanos) {
    CommittedTree own = tree;
    if (own == null || strangers.isEmpty()) {
      return;
    }
    double part = SEARCHERS / (own.edges().size() + 1.0);
    long round = 1 + Math.floorDiv(nowNanos, searchNanos);
    TreeMap<Long, NodeId> chosen = new TreeMap<>();
    for (NodeId id : strangers) {
      long hash = PairHash.of(self, id, round);
      if (!linked.contains(id) && PairHash.isWithin(hash, part)) {
        chosen.put(hash, id);
      }
    }
    chosen.values().stream()
        .limit(MAX_STRANGERS)
        .forEach(id -> purposes.put(id, LinkPurpose.NON_MEMBER));
  }

  private void tryOthers(int places, long nowNanos) {
    trials.removeIf(id -> !isCandidate(id));
    int most = Math.min(places, MAX_TRIALS);
    boolean isExploring = nowNanos >= nextExploreNanos;
    if (trials.size() < most && isExploring) {
      explore(nowNanos);
    }
    if (trials.size() < most && (finding || isExploring)) {
      List<NodeId> promising = promising(most - trials.size());
      finding = !promising.isEmpty();
      trials.addAll(promising);
    }
    trials.forEach(id -> purposes.putIfAbsent(id, LinkPurpose.TRIAL));
  }

  /**
   * Lower bounds of a round trip by the triangle inequality. The inequality holds only
   * approximately, so different common neighbours give contradictory bounds.
   */
  private static final class LowerBounds {
    long leastMicros = Long.MAX_VALUE;
    long mostMicros;

    void add(long micros) {
      leastMicros = Math.min(leastMicros, micros);
      mostMicros = Math.max(mostMicros, micros);
    }
  }

  private List<NodeId> promising(int count) {
    long farthestMicros = farthestMicros();
    Map<NodeId, LowerBounds> heardOf = new HashMap<>();
    reported.forEach(
        (via, itsLinks) -> {
          long toMicros = roundTrips.rttMicros(via);
          if (toMicros < Long.MAX_VALUE) {
            for (Nearby member : itsLinks) {
              if (!roundTrips.isTried(member.id())) {
                heardOf
                    .computeIfAbsent(member.id(), id -> new LowerBounds())
                    .add(Math.abs(toMicros - member.rttMicros()));
              }
            }
          }
        });
    TreeMap<Nearby, NodeId> byBound = new TreeMap<>(Nearby.BY_ROUND_TRIP);
    heardOf.forEach(
        (id, bounds) -> {
          if (bounds.leastMicros < farthestMicros && mayTry(id)) {
            byBound.put(new Nearby(id, bounds.mostMicros), id);
          }
        });
    return byBound.values().stream().limit(count).toList();
  }

  private boolean mayTry(NodeId id) {
    return !linked.contains(id) && !purposes.containsKey(id) && isCandidate(id);
  }

  private void explore(long nowNanos) {
    nextExploreNanos = nowNanos + limits.trialInterval().toNanos();
    NodeId next =
        randomOrder.stream()
            .filter(id -> !roundTrips.isTried(id) && mayTry(id))
            .findFirst()
            .orElseGet(() -> roundTrips.longestAgo(this::mayTry));
    if (next != null) {
      trials.add(next);
    }
  }
}
