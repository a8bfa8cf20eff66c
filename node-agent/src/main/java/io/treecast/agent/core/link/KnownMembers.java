package io.treecast.agent.core.link;

import io.treecast.agent.core.contract.TreeChange;
import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.message.PeerMessage.Goodbye;
import io.treecast.agent.core.message.PeerMessage.Members;
import io.treecast.agent.core.message.ToldMember;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The members that this agent knows, which of them it has to tell others of, and which of them have
 * been gone for so long that they are to be forgotten.
 *
 * <p>A member is <em>present</em> while this agent is linked with it or has it in its committed
 * tree. Of any other it is known when somebody last heard of it: agents tell each other for how
 * long nobody has, and the least counts. So a member that is gone is forgotten by all at about the
 * same time, and nobody learns of it anew from one that forgets later.
 *
 * <p>Who is where is hearsay until it is <em>proven</em>: the member has said so itself, or has
 * answered there. Others are told only of members that are proven or present, so that a member that
 * tells of addresses has only those dial them that it talks with.
 */
public final class KnownMembers {
  /**
   * The end of a link.
   *
   * @param reason for a person
   * @param nanos when
   */
  public record Loss(String reason, long nanos) {}

  private final Member self;
  private final long forgetNanos;
  private final Set<NodeId> linked;
  private final TreeMap<NodeId, Member> byId = new TreeMap<>();
  private final TreeMap<NodeId, Member> news = new TreeMap<>();
  private final Goodbyes goodbyes;

  /** Those that have said themselves, or have answered, where they are known to be. */
  private final Set<NodeId> proven = new HashSet<>();

  /** Those that were elsewhere before somebody told that they are where they are known to be. */
  private final Set<NodeId> movedByHearsay = new HashSet<>();

  /** Those that have said where they are, but have not linked: all neighbours were told of them. */
  private final Set<NodeId> passedOn = new HashSet<>();

  /** Those that others are to be told of as soon as they may be. */
  private final Set<NodeId> untold = new HashSet<>();

  /** When somebody last heard of each; of one that is present, some time before. */
  private final Map<NodeId, Long> heardNanos = new HashMap<>();

  /** The life in which each is where it is known to be. */
  private final Map<NodeId, Long> incarnations = new HashMap<>();

  /** How the last link with each ended; of those that are known only. */
  private final Map<NodeId, Loss> losses = new HashMap<>();

  /** Where the site of each is configured, this agent's own included. */
  private final Map<NodeId, String> sites = new HashMap<>();

  private @Nullable CommittedTree tree;
  private long digest;
  private long nextReviewNanos = Long.MAX_VALUE;

  /**
   * Knows nobody else.
   *
   * @param site the name of this agent's site; null if none is configured
   * @param forgetNanos for how long nobody has heard of a member that is forgotten
   * @param linked with whom this agent is linked, at any time
   */
  KnownMembers(Member self, @Nullable String site, long forgetNanos, Set<NodeId> linked) {
    this.self = self;
    this.forgetNanos = forgetNanos;
    this.linked = linked;
    this.goodbyes = new Goodbyes(forgetNanos);
    this.digest = PairHash.of(self.id());
    setSite(self.id(), site);
  }

  public Member self() {
    return self;
  }

  /** All but this agent's own, by id. */
  public Collection<Member> all() {
    return byId.values();
  }

  /** The names of all but this agent. */
  public Set<NodeId> ids() {
    return byId.keySet();
  }

  /** How many there are with this agent. */
  int clusterSize() {
    return byId.size() + 1;
  }

  /** Who knows the same members has the same digest: a sum of hashes of the names of all. */
  public long digest() {
    return digest;
  }

  /**
   * A member says itself where it is, which counts more than what others told.
   *
   * @return as {@link #learn} does
   */
  boolean introduced(Member member, long incarnation, @Nullable String site, long nowNanos) {
    return learn(new ToldMember(member, incarnation, 0, site), true, nowNanos);
  }

  /** The name of a member's site; null if none is configured, or nothing is known of it. */
  @Nullable
  public String site(NodeId id) {
    return sites.get(id);
  }

  /** Where it says itself that it is; returns whether that was not known. */
  boolean setSite(NodeId id, @Nullable String site) {
    String before = site == null ? sites.remove(id) : sites.put(id, site);
    return !Objects.equals(before, site);
  }

  /**
   * Takes note of a member, or of where a later life of it is and of which site.
   *
   * @return whether it was not known, or had another address; false for this agent, for one that is
   *     to be forgotten or has left, and where there is no room
   */
  boolean learn(ToldMember told, long nowNanos) {
    return learn(told, false, nowNanos);
  }

  /** Whether somebody tells of a later life of a member than the one that is known. */
  boolean knowsEarlier(ToldMember told) {
    Long known = incarnations.get(told.member().id());
    return known != null && known < told.incarnation();
  }

  private boolean learn(ToldMember told, boolean isByItself, long nowNanos) {
    Member member = told.member();
    NodeId id = member.id();
    long unheardNanos = TimeUnit.MILLISECONDS.toNanos(told.unheardMillis());
    if (id.equals(self.id()) || unheardNanos >= forgetNanos) {
      return false;
    }
    if (isByItself) {
      goodbyes.introduced(id, told.incarnation());
    } else if (goodbyes.holds(id, told.incarnation())) {
      return false;
    }
    Member known = byId.get(id);
    if (known == null) {
      if (clusterSize() >= Membership.MAX_MEMBERS && !(isByItself && forgotHearsay())) {
        return false;
      }
      byId.put(id, member);
      if (isByItself) {
        proven.add(id);
      }
      incarnations.put(id, told.incarnation());
      setSite(id, told.site());
      digest += PairHash.of(id);
      news.put(id, member);
      heardNanos.put(id, nowNanos - unheardNanos);
      nextReviewNanos = Math.min(nextReviewNanos, nowNanos - unheardNanos + forgetNanos);
      return true;
    }
    if (isByItself) {
      prove(member);
    } else if (linked.contains(id)) {
      return false; // It says itself where it is.
    }
    heard(id, nowNanos - unheardNanos);
    if (!isByItself && told.incarnation() <= incarnations.getOrDefault(id, 0L)) {
      return false;
    }
    incarnations.put(id, told.incarnation());
    boolean hasMoved = !known.equals(member);
    if (hasMoved && !isByItself) {
      proven.remove(id);
      movedByHearsay.add(id);
    }
    if (setSite(id, told.site()) || hasMoved) {
      byId.put(id, member);
      news.put(id, member);
    }
    return hasMoved;
  }

  /** A member has answered at this address, or has said that it is there. */
  void prove(Member member) {
    NodeId id = member.id();
    movedByHearsay.remove(id);
    proven.add(id);
    mayTell(id);
  }

  /**
   * A member that says itself where it is, and cannot be linked with, is to be introduced to all
   * neighbours.
   *
   * @return the member, the first time; null if it is not known, or they know where it is
   */
  @Nullable Member passOn(NodeId id) {
    Member member = byId.get(id);
    return member != null && proven.contains(id) && passedOn.add(id) ? member : null;
  }

  /** Has answered where it is known to be; of no meaning elsewhere. */
  void answered(Member member) {
    if (member.equals(byId.get(member.id()))) {
      prove(member);
    }
  }

  private void mayTell(NodeId id) {
    Member member = byId.get(id);
    if (untold.remove(id) && member != null) {
      news.put(id, member);
    }
  }

  /** Of these members those that others may be told of; of the rest they are told later. */
  List<Member> tellable(List<Member> members) {
    List<Member> tellable = new ArrayList<>();
    for (Member member : members) {
      NodeId id = member.id();
      boolean isProven =
          id.equals(self.id())
              || proven.contains(id)
              || (isPresent(id) && !movedByHearsay.contains(id));
      if (isProven) {
        tellable.add(member);
      } else {
        untold.add(id);
      }
    }
    return tellable;
  }

  /** Makes room for a member that says itself where it is; returns whether there is some. */
  private boolean forgotHearsay() {
    for (NodeId id : byId.keySet()) {
      if (!proven.contains(id) && !isPresent(id)) {
        forget(id);
        return true;
      }
    }
    return false;
  }

  /**
   * Somebody heard of a member then. One that was absent for long is news: others may have
   * forgotten it.
   */
  void heard(NodeId id, long atNanos) {
    Long before = heardNanos.get(id);
    Member member = byId.get(id);
    if (before == null || member == null || atNanos <= before) {
      return;
    }
    heardNanos.put(id, atNanos);
    if (!isPresent(id) && atNanos - before > forgetNanos / 2) {
      news.put(id, member);
    }
  }

  /** The link with a member has ended, which was heard of until now. */
  void lost(NodeId id, String reason, long nowNanos) {
    heard(id, nowNanos);
    if (byId.containsKey(id)) {
      losses.put(id, new Loss(reason, nowNanos));
    }
  }

  /** How the last link with a member ended; null if none has. */
  @Nullable
  public Loss loss(NodeId id) {
    return losses.get(id);
  }

  /** A tree was committed: who was in the one before, or is in this one, was heard of just now. */
  public void treeChanged(TreeChange change, long nowNanos) {
    for (LinkWeight edge : change.removed()) {
      heard(edge.low(), nowNanos);
      heard(edge.high(), nowNanos);
    }
    for (LinkWeight edge : change.added()) {
      heard(edge.low(), nowNanos);
      heard(edge.high(), nowNanos);
    }
    tree = change.tree();
    for (LinkWeight edge : change.added()) {
      if (!movedByHearsay.contains(edge.low())) {
        mayTell(edge.low());
      }
      if (!movedByHearsay.contains(edge.high())) {
        mayTell(edge.high());
      }
    }
  }

  /** Whether this agent is linked with a member, or has it in its tree. */
  boolean isPresent(NodeId id) {
    return linked.contains(id) || (tree != null && tree.hasMember(id));
  }

  /** For how long nobody has heard of a member; 0 for one that is present. */
  public long unheardNanos(NodeId id, long nowNanos) {
    return isPresent(id) ? 0 : nowNanos - heardNanos.getOrDefault(id, nowNanos);
  }

  /** When {@link #unheard} may have something to do, and no later than it has. */
  long nextDeadlineNanos() {
    return nextReviewNanos;
  }

  /**
   * Those that nobody has heard of for too long; they are to be {@linkplain #forget forgotten}
   * everywhere.
   */
  List<Member> unheard(long nowNanos) {
    List<Member> unheard = new ArrayList<>();
    if (nowNanos < nextReviewNanos) {
      return unheard;
    }
    // Who is present now is due no earlier.
    nextReviewNanos = nowNanos + forgetNanos;
    for (Member member : byId.values()) {
      long leftNanos = forgetNanos - unheardNanos(member.id(), nowNanos);
      if (leftNanos <= 0) {
        unheard.add(member);
      } else {
        nextReviewNanos = Math.min(nextReviewNanos, nowNanos + leftNanos);
      }
    }
    return unheard;
  }

  /** A member says goodbye. */
  void left(NodeId id, long incarnation, long nowNanos) {
    goodbyes.add(id, incarnation, 0, nowNanos);
  }

  /** Whether a member has said goodbye to somebody in this life, or in a later one. */
  boolean hasLeft(NodeId id, long incarnation) {
    return goodbyes.holds(id, incarnation);
  }

  /** Whether there is a goodbye to tell of. */
  boolean knowsGoodbyes() {
    return !goodbyes.isEmpty();
  }

  /**
   * Somebody tells of members that have said goodbye.
   *
   * @return those that are to be forgotten: with which this agent is not linked, and which it knows
   *     of no later life of
   */
  List<NodeId> toldLeft(List<Goodbye> told, long nowNanos) {
    List<NodeId> gone = new ArrayList<>();
    for (Goodbye goodbye : told) {
      NodeId id = goodbye.node();
      if (id.equals(self.id())) {
        continue;
      }
      long agoNanos = TimeUnit.MILLISECONDS.toNanos(goodbye.agoMillis());
      goodbyes.add(id, goodbye.incarnation(), agoNanos, nowNanos);
      Long known = incarnations.get(id);
      if (known != null && !linked.contains(id) && goodbyes.holds(id, known)) {
        gone.add(id);
      }
    }
    return gone;
  }

  /** That a member is forgotten, for a person. */
  String forgottenText(Member member, long nowNanos) {
    return "forgot "
        + member.id()
        + " at "
        + member.address()
        + ": nobody has heard of it for "
        + TimeUnit.NANOSECONDS.toSeconds(unheardNanos(member.id(), nowNanos))
        + " s (links.forgetMillis)";
  }

  /** A member that has left, or that nobody has heard of for too long. */
  void forget(NodeId id) {
    news.remove(id);
    heardNanos.remove(id);
    incarnations.remove(id);
    sites.remove(id);
    losses.remove(id);
    proven.remove(id);
    movedByHearsay.remove(id);
    passedOn.remove(id);
    untold.remove(id);
    if (byId.remove(id) != null) {
      digest -= PairHash.of(id);
    }
  }

  public boolean hasNews() {
    return !news.isEmpty();
  }

  /** Those that became known, or known to be back or elsewhere, since this was last asked. */
  public List<Member> takeNews() {
    List<Member> taken = List.copyOf(news.values());
    news.clear();
    return taken;
  }

  /** This agent and so many others: those whose names follow the asker's. */
  List<Member> some(NodeId asker, int count) {
    List<Member> some = new ArrayList<>(List.of(self));
    Stream.concat(byId.tailMap(asker).values().stream(), byId.headMap(asker).values().stream())
        .limit(count)
        .forEach(some::add);
    return some;
  }

  /** What others are to be told of these members. */
  Members tell(List<Member> members, long nowNanos) {
    List<ToldMember> told = new ArrayList<>();
    for (Member member : members) {
      long unheardNanos = unheardNanos(member.id(), nowNanos);
      long incarnation = incarnations.getOrDefault(member.id(), 0L);
      long unheardMillis = TimeUnit.NANOSECONDS.toMillis(unheardNanos);
      told.add(new ToldMember(member, incarnation, unheardMillis, site(member.id())));
    }
    return new Members(told, goodbyes.tell(nowNanos), digest);
  }
}
