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
 * The members that this agent knows. Determines which of them must be announced to others, and
 * which have been absent for so long that they must be forgotten.
 *
 * <p>A member is <em>present</em> while this agent is linked with it or has it in its committed
 * tree. For each absent member, agents exchange the time since its last contact with any agent, and
 * keep the minimum. So all agents forget an absent member at about the same time, and none learns
 * it again from an agent that forgets it later.
 *
 * <p>The address of a member is hearsay until it is <em>proven</em>: the member has announced it
 * itself, or has answered at it. Only proven or present members are announced to others. So an
 * agent that spreads false addresses causes dials by its own neighbours only.
 */
public final class KnownMembers {
  /**
   * The end of a link.
   *
   * @param reason the reason, for people
   * @param nanos the time
   */
  public record Loss(String reason, long nanos) {}

  private final Member self;
  private final long forgetNanos;
  private final Set<NodeId> linked;
  private final TreeMap<NodeId, Member> byId = new TreeMap<>();
  private final TreeMap<NodeId, Member> news = new TreeMap<>();
  private final Goodbyes goodbyes;

  /** Members that have announced their present address themselves, or have answered at it. */
  private final Set<NodeId> proven = new HashSet<>();

  /** Members whose address was replaced by hearsay. */
  private final Set<NodeId> movedByHearsay = new HashSet<>();

  /**
   * Members without a link that have announced themselves, and were then announced to all
   * neighbours.
   */
  private final Set<NodeId> passedOn = new HashSet<>();

  /** Members to announce as soon as they are proven or present. */
  private final Set<NodeId> unannounced = new HashSet<>();

  /** The last contact of any agent with each member; an earlier time for a present member. */
  private final Map<NodeId, Long> heardNanos = new HashMap<>();

  /** The incarnation of each member at its known address. */
  private final Map<NodeId, Long> incarnations = new HashMap<>();

  /** The end of the last link with each known member. */
  private final Map<NodeId, Loss> losses = new HashMap<>();

  /** The configured site of each member, including this agent. */
  private final Map<NodeId, String> sites = new HashMap<>();

  private @Nullable CommittedTree tree;
  private long digest;
  private long nextReviewNanos = Long.MAX_VALUE;

  /**
   * Creates an instance without other members.
   *
   * @param site the name of this agent's site; null if none is configured
   * @param forgetNanos how long an absent member stays known
   * @param linked a view of the peers of the open links
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

  /** Returns all members but this one, by id. */
  public Collection<Member> all() {
    return byId.values();
  }

  /** Returns the ids of all members but this one. */
  public Set<NodeId> ids() {
    return byId.keySet();
  }

  /** Returns the number of members, including this one. */
  int clusterSize() {
    return byId.size() + 1;
  }

  /**
   * Returns a digest that is equal at agents that know the same members: the sum of the hashes of
   * all ids.
   */
  public long digest() {
    return digest;
  }

  /**
   * Notes a member's own announcement, which takes precedence over hearsay.
   *
   * @return as for {@link #learn}
   */
  boolean introduced(Member member, long incarnation, @Nullable String site, long nowNanos) {
    return learn(new ToldMember(member, incarnation, 0, site), true, nowNanos);
  }

  /** Returns the name of a member's site; null if it is unknown or not configured. */
  @Nullable
  public String site(NodeId id) {
    return sites.get(id);
  }

  /** Sets the site that a member announces; returns whether it has changed. */
  boolean setSite(NodeId id, @Nullable String site) {
    String before = site == null ? sites.remove(id) : sites.put(id, site);
    return !Objects.equals(before, site);
  }

  /**
   * Notes a member, or the address and site of a later incarnation, announced by another agent.
   *
   * @return whether the member is new or has another address; false for this agent, for a member
   *     that has left or been absent for too long, and if there is no room
   */
  boolean learn(ToldMember told, long nowNanos) {
    return learn(told, false, nowNanos);
  }

  /** Returns whether the announced incarnation is later than the known one. */
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
      return false; // The member has announced its address itself.
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

  /** Notes that a member has answered at its address, or has announced it itself. */
  void prove(Member member) {
    NodeId id = member.id();
    movedByHearsay.remove(id);
    proven.add(id);
    announceIfWaiting(id);
  }

  /**
   * Notes that a member that announces itself cannot link with this agent, so that all neighbours
   * must learn of it.
   *
   * @return the member, the first time; null later, and if the member or its address is not known
   */
  @Nullable Member passOn(NodeId id) {
    Member member = byId.get(id);
    return member != null && proven.contains(id) && passedOn.add(id) ? member : null;
  }

  /** Notes that a member has answered at an address. Ignored unless this is its known address. */
  void answered(Member member) {
    if (member.equals(byId.get(member.id()))) {
      prove(member);
    }
  }

  private void announceIfWaiting(NodeId id) {
    Member member = byId.get(id);
    if (unannounced.remove(id) && member != null) {
      news.put(id, member);
    }
  }

  /**
   * Returns those members that may be announced to others. The rest is announced once it is proven
   * or present.
   */
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
        unannounced.add(id);
      }
    }
    return tellable;
  }

  /**
   * Forgets a member that is known from hearsay only, to make room; returns false if there is none.
   */
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
   * Notes a contact with a member. If it was absent for long, it is announced again, since others
   * may have forgotten it.
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

  /** Notes the end of the link with a member, which counts as a contact. */
  void lost(NodeId id, String reason, long nowNanos) {
    heard(id, nowNanos);
    if (byId.containsKey(id)) {
      losses.put(id, new Loss(reason, nowNanos));
    }
  }

  /** Returns the end of the last link with a member; null if no link has ended. */
  @Nullable
  public Loss loss(NodeId id) {
    return losses.get(id);
  }

  /** Notes a commit, which counts as a contact with the members at its changed edges. */
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
        announceIfWaiting(edge.low());
      }
      if (!movedByHearsay.contains(edge.high())) {
        announceIfWaiting(edge.high());
      }
    }
  }

  /** Returns whether this agent is linked with a member, or has it in its committed tree. */
  boolean isPresent(NodeId id) {
    return linked.contains(id) || (tree != null && tree.hasMember(id));
  }

  /** Returns the time since the last contact with a member; 0 for a present one. */
  public long unheardNanos(NodeId id, long nowNanos) {
    return isPresent(id) ? 0 : nowNanos - heardNanos.getOrDefault(id, nowNanos);
  }

  /** Returns a time no later than the next at which {@link #unheard} returns members. */
  long nextDeadlineNanos() {
    return nextReviewNanos;
  }

  /**
   * Returns the members that have been absent for too long, and must be {@linkplain #forget
   * forgotten}.
   */
  List<Member> unheard(long nowNanos) {
    List<Member> unheard = new ArrayList<>();
    if (nowNanos < nextReviewNanos) {
      return unheard;
    }
    // A present member cannot be due earlier.
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

  /** Notes a member's goodbye. */
  void left(NodeId id, long incarnation, long nowNanos) {
    goodbyes.add(id, incarnation, 0, nowNanos);
  }

  /** Returns whether this incarnation of a member, or a later one, has left. */
  boolean hasLeft(NodeId id, long incarnation) {
    return goodbyes.holds(id, incarnation);
  }

  /** Returns whether there are goodbyes. */
  boolean knowsGoodbyes() {
    return !goodbyes.isEmpty();
  }

  /**
   * Notes goodbyes that another agent announces.
   *
   * @return the members to forget: those without a link and without a later known incarnation
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

  /** Returns the report that a member was forgotten, for people. */
  String forgottenText(Member member, long nowNanos) {
    return "forgot %s at %s: no member has had contact with it for %s s (links.forgetMillis)"
        .formatted(
            member.id(),
            member.address(),
            TimeUnit.NANOSECONDS.toSeconds(unheardNanos(member.id(), nowNanos)));
  }

  /** Forgets a member that has left, or was absent for too long. */
  void forget(NodeId id) {
    news.remove(id);
    heardNanos.remove(id);
    incarnations.remove(id);
    sites.remove(id);
    losses.remove(id);
    proven.remove(id);
    movedByHearsay.remove(id);
    passedOn.remove(id);
    unannounced.remove(id);
    if (byId.remove(id) != null) {
      digest -= PairHash.of(id);
    }
  }

  public boolean hasNews() {
    return !news.isEmpty();
  }

  /** Returns the members that became known, returned or moved since the last call. */
  public List<Member> takeNews() {
    List<Member> taken = List.copyOf(news.values());
    news.clear();
    return taken;
  }

  /**
   * Returns this agent and up to {@code count} others, in the order of their ids from the asker's
   * on.
   */
  List<Member> some(NodeId asker, int count) {
    List<Member> some = new ArrayList<>(List.of(self));
    Stream.concat(byId.tailMap(asker).values().stream(), byId.headMap(asker).values().stream())
        .limit(count)
        .forEach(some::add);
    return some;
  }

  /** Returns an announcement of these members. */
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
