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
 * The members with which an agent wants a link, where there are too many for all links to exist:
 * those of which a minimum spanning tree is likely to be made, and those that keep the cluster
 * connected.
 *
 * <ul>
 *   <li>The <em>nearest</em>. They are found as in NN-Descent (Dong, Moses, Li, WWW 2011): linked
 *       agents send each other their links and round trips, wanted or not, since a member near a
 *       near member is probably near. Such a member is linked with on <em>trial</em>, and measured.
 *       By the triangle inequality it is at least as far as its distance from a common neighbour
 *       differs from this agent's. The member with the least such bound is tried first; a member
 *       whose bound exceeds the farthest of the nearest is not tried.
 *   <li>Since round trips change, <em>any</em> member, one at a time: the one that was tried
 *       longest ago.
 *   <li>Some at <em>random</em>, by the hash of both names.
 *   <li>For <em>strangers</em>, members that are in no tree with this one, all members search a
 *       little: each stranger has a few members that try it for a while, then others. So two parts
 *       of a cluster find each other over any pair that can link, and a dead member is not dialed
 *       by all.
 * </ul>
 */
public final class Neighbourhood {
  /** The most trials at once. */
  static final int MAX_TRIALS = 4;

  /** How long a member with which no link came about is not tried, unless it is a stranger. */
  static final long UNAVAILABLE_NANOS = 60_000_000_000L;

  /** How many members of a tree try a stranger at once, on average. */
  static final int SEARCHERS = 4;

  /** The strangers that one member tries at once. */
  static final int MAX_STRANGERS = 8;

  /** The least interval of reports of other links while there are promising members to try. */
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
  private final TreeMap<NodeId, List<Nearby>> told = new TreeMap<>();

  /**
   * The same links by their other end: the members that reported a link with it, and its round
   * trip.
   */
  private final Map<NodeId, Map<NodeId, Long>> toldOf = new HashMap<>();

  /** Until when members are not to be tried. */
  private final Map<NodeId, Long> unavailableUntilNanos = new HashMap<>();

  private final TreeSet<NodeId> trials = new TreeSet<>();
  private final Map<NodeId, LinkPurpose> purposes = new LinkedHashMap<>();

  /** The members that links are wanted with; null when they must be searched again. */
  private @Nullable List<Nearby> near;

  private List<Nearby> linkedNearby = List.of();
  private long linkedVersion;
  private long lastTellNanos;
  private long nextExploreNanos = Long.MIN_VALUE;

  /** Whether there may be promising members that were not tried. */
  private boolean finding;

  private Set<NodeId> known = Set.of();
  private Set<NodeId> linked = Set.of();
  private @Nullable CommittedTree tree;

  /** All known members, in the order in which this one would choose them. */
  private List<NodeId> randomOrder = List.of();

  /** The known members that are not in the tree. */
  private List<NodeId> strangers = List.of();

  /**
   * Creates it without wanted members.
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

  /** Returns the measured members, as they are reported to others. */
  public List<Nearby> linkedNearby() {
    return linkedNearby;
  }

  /** Returns the measured members as of now, even if a report is not due yet. */
  public List<Nearby> linkedNow() {
    return roundTrips.sorted(linked, LinkedMembers.MAX_COUNT);
  }

  /** Returns how often there were other members to report; 0 before the first time. */
  public long linkedVersion() {
    return linkedVersion;
  }

  /** Returns a round trip in microseconds; {@link #UNKNOWN} if it is not known. */
  public long rttMicros(NodeId member) {
    return roundTrips.rttMicros(member);
  }

  /**
   * Returns the shortest detour: the round trip to this member by way of another one, in
   * microseconds, from this member's own links and those that others have reported; {@link
   * #UNKNOWN} if no such way is known.
   */
  public long detourMicros(NodeId member) {
    long least = UNKNOWN;
    for (Nearby common : told.getOrDefault(member, List.of())) {
      least = Math.min(least, overMicros(common.id(), common.rttMicros()));
    }
    for (Map.Entry<NodeId, Long> common : toldOf.getOrDefault(member, Map.of()).entrySet()) {
      least = Math.min(least, overMicros(common.getKey(), common.getValue()));
    }
    return least;
  }

  private long overMicros(NodeId common, long beyondMicros) {
    long firstMicros = rttMicros(common);
    // Without overflow, whatever a peer claims.
    return beyondMicros < UNKNOWN - firstMicros ? firstMicros + beyondMicros : UNKNOWN;
  }

  /** Returns whether the member is in no tree with this one. */
  boolean isStranger(NodeId member) {
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
   * Returns the round trip of the farthest of the nearest; {@link Long#MAX_VALUE} while there are
   * fewer, or they must be searched.
   */
  private long farthestMicros() {
    return near == null || near.size() < limits.nearest()
        ? Long.MAX_VALUE
        : near.get(near.size() - 1).rttMicros();
  }

  /** Handles a linked member's report of its links. */
  public void told(NodeId member, List<Nearby> itsLinks) {
    forgetTold(member);
    told.put(member, itsLinks);
    for (Nearby link : itsLinks) {
      toldOf
          .computeIfAbsent(link.id(), id -> new TreeMap<>())
          .merge(member, link.rttMicros(), Math::min);
    }
    finding =
        finding
            || itsLinks.stream()
                .map(Nearby::id)
                .anyMatch(id -> !id.equals(self) && !roundTrips.wasTried(id));
  }

  /** Notes that the link with this member is gone. */
  void lost(NodeId member, long nowNanos) {
    forgetTold(member);
    near = null;
    if (trials.contains(member)) {
      unreached(member, nowNanos);
    }
  }

  private void forgetTold(NodeId member) {
    List<Nearby> itsLinks = told.remove(member);
    if (itsLinks != null) {
      for (Nearby link : itsLinks) {
        toldOf.computeIfPresent(
            link.id(), (id, by) -> by.remove(member) != null && by.isEmpty() ? null : by);
      }
    }
  }

  /** Notes that this member cannot be reached. */
  void unreached(NodeId member, long nowNanos) {
    roundTrips.triedInVain(member);
    unavailable(member, nowNanos);
  }

  /** Notes that this member has no room for a link. */
  void unavailable(NodeId member, long nowNanos) {
    unavailableUntilNanos.put(member, nowNanos + UNAVAILABLE_NANOS);
    // It is not dialed again before the next review.
    purposes.remove(member, LinkPurpose.NEAREST);
    purposes.remove(member, LinkPurpose.RANDOM);
    purposes.remove(member, LinkPurpose.TRIAL);
    near = null;
  }

  /** Forgets a member. */
  void forget(NodeId member) {
    roundTrips.forget(member);
    near = null;
    unavailableUntilNanos.remove(member);
    trials.remove(member);
    purposes.remove(member);
    // Searched again: another member may become known in its place.
    randomOrder = List.of();
  }

  /**
   * Decides which links are wanted.
   *
   * @param knownMembers all that this one knows
   * @param committed its tree; null if there is none
   * @param linkedMembers those that it has links with
   * @param places how many more links it may have
   */
  public void review(
      Set<NodeId> knownMembers,
      @Nullable CommittedTree committed,
      Set<NodeId> linkedMembers,
      int places,
      long nowNanos) {
    look(knownMembers, committed);
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
    tell(nowNanos);
    chooseAtRandom();
    searchStrangers(nowNanos);
    tryOthers(places, nowNanos);
  }

  private void look(Set<NodeId> knownMembers, @Nullable CommittedTree committed) {
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

  /** Returns whether it is a member of the own tree, if there is one, that may be reached. */
  private boolean isCandidate(NodeId id) {
    return known.contains(id)
        && (tree == null || tree.hasMember(id))
        && (linked.contains(id) || !unavailableUntilNanos.containsKey(id));
  }

  private void tell(long nowNanos) {
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
   * Each member decides for itself: on average {@link #SEARCHERS} members of the tree try the same
   * stranger.
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
        .forEach(id -> purposes.put(id, LinkPurpose.STRANGER));
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
   * Lower bounds of a round trip by the triangle inequality. It holds only roughly, so common
   * neighbours contradict each other.
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
    told.forEach(
        (via, itsLinks) -> {
          long toMicros = roundTrips.rttMicros(via);
          if (toMicros < Long.MAX_VALUE) {
            for (Nearby member : itsLinks) {
              if (!roundTrips.wasTried(member.id())) {
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
            .filter(id -> !roundTrips.wasTried(id) && mayTry(id))
            .findFirst()
            .orElseGet(() -> roundTrips.longestAgo(this::mayTry));
    if (next != null) {
      trials.add(next);
    }
  }
}
