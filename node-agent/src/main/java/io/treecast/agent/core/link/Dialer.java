package io.treecast.agent.core.link;

import io.treecast.agent.core.message.Member;
import io.treecast.agent.core.message.Membership;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that this agent dials, and the time of the next dial of each: the first at once,
 * further ones after pauses that double. A link that has lasted resets the pause. A link that
 * breaks soon after its handshake does not, since dialing again at once would not help.
 */
final class Dialer {
  private static final long UNKNOWN = Long.MIN_VALUE;

  /** The number of consecutive dials of its own announced address by an agent without links. */
  private static final int OWN_DIALS = 8;

  /** A pause without end; a later event may shorten it. */
  private static final long NEVER_NANOS = Long.MAX_VALUE / 4;

  /** A link has lasted after this many times the longest pause. */
  private static final int LASTING_PAUSES = 2;

  /**
   * A seed that may lead to other members is dialed again after this many times the longest pause,
   * multiplied by the number of members. So all members together dial it once in that many pauses.
   */
  private static final int ASK_AGAIN_PAUSES = 6;

  /**
   * The number of dials in a burst of addresses that were learnt from others and have never
   * answered.
   */
  private static final int HEARSAY_BURST = 64;

  /** The interval of such dials after the burst. */
  private static final long HEARSAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The longest pause of such an address, as a multiple of the longest pause. */
  private static final int HEARSAY_PAUSES = 64;

  /**
   * The number of failures that determines the pause before dialing an agent with a pending
   * decision.
   */
  private static final int AWAITED_FAILURES = 1;

  /** An address, with the state of its dials. */
  static final class Target {
    final String address;
    final boolean seed;

    /** Whether the address is known from other members only. */
    private final boolean hearsay;

    /** Whether the target only serves to look up a member, and is dropped afterwards. */
    private boolean passing;

    private long lastFailedNanos;
    private @Nullable NodeId id;
    private int failures;
    private long nextDialNanos;
    private boolean dialing;

    /**
     * Whether the target is dialed although its node is linked, since another incarnation of the
     * node may be there.
     */
    private boolean lookedUp;

    /** Whether the decision about the link is pending at one of the two agents. */
    private boolean awaited;

    private boolean answered;

    /**
     * Whether the target is a seed that may lead to several agents: a name with several addresses,
     * a load balancer, or another name of the agent that answered.
     */
    private boolean mayLeadElsewhere;

    /** Whether only this agent itself has answered at the address. */
    private boolean onlySelf;

    /**
     * Whether this is the address that this agent announces. An agent without links dials it, since
     * it may be the address of a load balancer, which also leads to other members.
     */
    final boolean own;

    /** Why the last connection ended before it became a link; null if no reason is known. */
    private @Nullable String lastBreak;

    /** Whether a dial has ended, with or without success. */
    private boolean tried;

    Target(
        String address,
        boolean seed,
        boolean own,
        boolean hearsay,
        @Nullable NodeId id,
        long nextDialNanos) {
      this.address = address;
      this.seed = seed;
      this.own = own;
      this.tried = own;
      this.hearsay = hearsay;
      this.id = id;
      this.nextDialNanos = nextDialNanos;
    }

    /** Returns the node at the address; null if it is unknown. */
    @Nullable NodeId id() {
      return id;
    }

    /** Returns whether a dial has failed and no agent has ever answered at the address. */
    boolean silent() {
      return !answered && failures > 0;
    }

    /** Returns whether only this agent itself has answered at the address. */
    boolean isOnlySelf() {
      return onlySelf;
    }

    /** Returns the address, with the reason for its silence if known. */
    String silence() {
      if (onlySelf) {
        return address + ": this agent itself";
      }
      return lastBreak == null ? address : address + ": " + lastBreak;
    }
  }

  /** The dialer's view of the cluster. */
  interface Cluster {
    /** Returns the number of known members, including this node. */
    int size();

    /** Returns whether a node is linked with this one, or in its tree. */
    boolean isPresent(NodeId id);

    /** Returns whether this node has no link. */
    boolean isAlone();
  }

  /** A test whether a node needs no dialing: it is linked or not wanted, or it is this node. */
  interface Satisfied {
    boolean test(NodeId id);
  }

  private final NodeId self;
  private final LinkLimits limits;
  private final Cluster cluster;
  private final Map<String, Target> targets = new LinkedHashMap<>();

  /**
   * The targets that need dialing, as of the last {@linkplain #changed change}; null if they must
   * be recomputed. In a large cluster they are few among many.
   */
  private @Nullable List<Target> wanted;

  /** The time up to which dials of addresses from other members have used up their intervals. */
  private long hearsayNanos = Long.MIN_VALUE / 2;

  /** When the next target is due; {@link #UNKNOWN} if it must be recomputed. */
  private long nextDialNanos = UNKNOWN;

  /**
   * The untried target that was found last. It is cached, because every event needs it while an
   * agent starts.
   */
  private @Nullable Target untried;

  /**
   * Whether the last search found no untried target, and nothing has {@linkplain #changed} since.
   */
  private boolean allTried;

  Dialer(NodeId self, LinkLimits limits, Cluster cluster) {
    this.self = self;
    this.limits = limits;
    this.cluster = cluster;
  }

  void addSeed(String address, long nowNanos) {
    targets.putIfAbsent(address, new Target(address, true, false, false, null, nowNanos));
    changed();
  }

  /** Adds a seed that is the address that this node announces. */
  void addOwnAddress(String address, long nowNanos) {
    targets.putIfAbsent(address, new Target(address, true, true, false, null, nowNanos));
    changed();
  }

  /**
   * Adds a configured neighbour, which has this node configured as well. The end with the lower id
   * dials at once, the other end only if there is no link after a while.
   */
  void addNeighbour(Member member, long nowNanos) {
    long grace = self.compareTo(member.id()) < 0 ? 0 : limits.higherEndGraceNanos();
    add(member, false, nowNanos + grace);
  }

  /**
   * Adds a member that was learnt from others, and dials it at once, since it may not know this
   * node.
   */
  void addMember(Member member, long nowNanos) {
    add(member, true, nowNanos);
  }

  private void add(Member member, boolean hearsay, long nowNanos) {
    Target known = targets.get(member.address());
    if (known != null) {
      known.passing = false;
      if (!Objects.equals(known.id, member.id())) {
        known.id = member.id();
        changed();
      }
      return;
    }
    if (targets.size() >= 2 * Membership.MAX_MEMBERS) {
      return;
    }
    changed();
    targets.put(
        member.address(),
        new Target(member.address(), false, false, hearsay, member.id(), nowNanos));
  }

  /** Adds an address at which another incarnation of a linked node may be, and dials it at once. */
  void lookUp(Member member, long nowNanos) {
    Target before = targets.get(member.address());
    if (before == null) {
      addMember(member, nowNanos);
    }
    Target target = targets.get(member.address());
    if (target != null) {
      target.passing |= before == null;
      target.lookedUp = true;
      changed();
    }
  }

  /** Replaces the address of a member that has moved. An old address that is a seed is kept. */
  void moved(Member member, long nowNanos) {
    forget(member.id());
    addMember(member, nowNanos);
  }

  Collection<Target> targets() {
    return targets.values();
  }

  /**
   * Returns the targets to dial now. Each counts as dialing until {@link #linked} or {@link
   * #failed}.
   */
  List<Target> due(long nowNanos, Satisfied satisfied) {
    List<Target> due = new ArrayList<>();
    if (nowNanos < nextDialNanos) {
      return due;
    }
    nextDialNanos = UNKNOWN;
    for (Target target : wanted(satisfied)) {
      if (isToBeDialed(target, satisfied) && dueNanos(target) <= nowNanos) {
        if (isHearsay(target)) {
          hearsayNanos = Math.max(hearsayNanos, nowNanos) + HEARSAY_NANOS;
        }
        target.dialing = true;
        due.add(target);
      }
    }
    return due;
  }

  long nextDeadlineNanos(Satisfied satisfied) {
    if (nextDialNanos == UNKNOWN) {
      long next = Long.MAX_VALUE;
      for (Target target : wanted(satisfied)) {
        if (isToBeDialed(target, satisfied)) {
          next = Math.min(next, dueNanos(target));
        }
      }
      nextDialNanos = next;
    }
    return nextDialNanos;
  }

  private static boolean isHearsay(Target target) {
    return target.hearsay && !target.answered;
  }

  private long dueNanos(Target target) {
    if (!isHearsay(target)) {
      return target.nextDialNanos;
    }
    NodeId id = target.id;
    long dueNanos =
        id != null && target.failures > 0 && cluster.isPresent(id)
            ? Math.min(target.nextDialNanos, target.lastFailedNanos + limits.redialMaxNanos())
            : target.nextDialNanos;
    return Math.max(dueNanos, hearsayNanos - (HEARSAY_BURST - 1) * HEARSAY_NANOS);
  }

  private List<Target> wanted(Satisfied satisfied) {
    List<Target> found = wanted;
    if (found == null) {
      found = targets.values().stream().filter(target -> isWanted(target, satisfied)).toList();
      wanted = found;
    }
    return found;
  }

  private static boolean isWanted(Target target, Satisfied satisfied) {
    NodeId id = target.id;
    return id == null || target.lookedUp || target.mayLeadElsewhere || !satisfied.test(id);
  }

  private static boolean isToBeDialed(Target target, Satisfied satisfied) {
    return !target.dialing && isWanted(target, satisfied);
  }

  /** Returns whether there is an address without a completed dial. */
  boolean hasUntried(Satisfied satisfied) {
    if (allTried) {
      return false;
    }
    Target last = untried;
    if (last != null && isUntried(last, satisfied)) {
      return true;
    }
    untried = null;
    for (Target target : wanted(satisfied)) {
      if (isUntried(target, satisfied)) {
        untried = target;
        return true;
      }
    }
    allTried = true;
    return false;
  }

  /** Notes that targets, or their need for dialing, have changed. */
  void changed() {
    wanted = null;
    nextDialNanos = UNKNOWN;
    untried = null;
    allTried = false;
  }

  private static boolean isUntried(Target target, Satisfied satisfied) {
    return !target.tried && isWanted(target, satisfied);
  }

  /** Removes a node that is gone for good. An address that is a seed is kept. */
  void forget(NodeId id) {
    changed();
    targets.values().removeIf(target -> !target.seed && Objects.equals(id, target.id));
    for (Target seed : targets.values()) {
      if (Objects.equals(id, seed.id)) {
        seed.id = null;
      }
    }
  }

  /** Notes that an agent has answered. */
  void answered(Target target) {
    target.answered = true;
  }

  /**
   * Notes that this node has answered.
   *
   * @param isItsAddress whether the node announces the target's address as its own
   */
  void identified(Target target, NodeId id, boolean isItsAddress) {
    boolean isSelf = id.equals(self);
    boolean hadOthers = target.id != null && !target.onlySelf;
    target.onlySelf = isSelf && !hadOthers;
    target.id = isSelf && hadOthers ? target.id : id;
    target.mayLeadElsewhere = target.seed && (!isItsAddress || target.own);
    changed();
  }

  /**
   * Notes that this node has lost its last link. Seeds that may lead to other members are dialed
   * soon.
   */
  void isAlone(long nowNanos) {
    changed();
    for (Target target : targets.values()) {
      if (target.mayLeadElsewhere) {
        target.failures = 0;
        target.nextDialNanos = Math.min(target.nextDialNanos, nowNanos + pauseNanos(target));
      }
    }
  }

  private long askAgainNanos() {
    return ASK_AGAIN_PAUSES * limits.redialMaxNanos() * cluster.size();
  }

  /** Notes that the dialed connection became the link. */
  void linked(Target target, long nowNanos) {
    nextDialNanos = UNKNOWN;
    target.nextDialNanos = nowNanos + askAgainNanos();
    target.passing = false;
    target.tried = true;
    target.dialing = false;
    target.lookedUp = false;
  }

  /** Notes that the network, or the other agent, ended the dialed connection. */
  void broke(Target target, String reason) {
    target.lastBreak = reason;
  }

  /**
   * Notes that one of the two agents has yet to decide whether they link. The target is dialed
   * again soon.
   */
  void awaits(Target target) {
    target.awaited = true;
    target.failures = Math.min(target.failures, AWAITED_FAILURES);
  }

  /** Notes that the dialed connection ended without having become the link. */
  void failed(Target target, long nowNanos) {
    nextDialNanos = UNKNOWN;
    target.tried = true;
    target.dialing = false;
    target.nextDialNanos = nowNanos + nextNanos(target);
    target.failures++;
    target.lastFailedNanos = nowNanos;
    target.lookedUp &= target.awaited;
    target.awaited = false;
    if (target.passing && !target.lookedUp) {
      targets.remove(target.address);
      changed();
    }
  }

  private long nextNanos(Target target) {
    if (target.own && (!cluster.isAlone() || target.failures >= OWN_DIALS - 1)) {
      return NEVER_NANOS;
    }
    boolean isAskedAgain = target.mayLeadElsewhere && !cluster.isAlone();
    return isAskedAgain ? askAgainNanos() : pauseNanos(target);
  }

  /**
   * Notes that a link to this node was lost. The node may be dialed again.
   *
   * @param openNanos how long the link was open; {@link Long#MAX_VALUE} if it was ended on purpose
   */
  void lost(NodeId id, long openNanos, long nowNanos) {
    changed();
    boolean hasLasted = openNanos >= LASTING_PAUSES * limits.redialMaxNanos();
    for (Target target : targets.values()) {
      NodeId there = target.id;
      if (there != null && there.equals(id) && !target.dialing) {
        target.failures = hasLasted ? 0 : target.failures;
        target.nextDialNanos = nowNanos + pauseNanos(target);
        target.failures += hasLasted ? 0 : 1;
      }
    }
  }

  /** Suspends dials of a node until this time. */
  void pause(NodeId id, long untilNanos) {
    changed();
    for (Target target : targets.values()) {
      if (Objects.equals(id, target.id)) {
        target.nextDialNanos = Math.max(target.nextDialNanos, untilNanos);
      }
    }
  }

  /**
   * Returns the pause before the next dial, spread by a quarter so that agents that failed together
   * do not return together.
   */
  private long pauseNanos(Target target) {
    long pause = limits.redialMinNanos();
    NodeId id = target.id;
    boolean isDoubtful = isHearsay(target) && (id == null || !cluster.isPresent(id));
    long longest = limits.redialMaxNanos() * (isDoubtful ? HEARSAY_PAUSES : 1);
    for (int i = 0; i < target.failures && pause < longest; i++) {
      pause *= 2;
    }
    pause = Math.min(pause, longest);
    int spread = (self + "/" + target.address + "/" + target.failures).hashCode() & 0xff;
    return pause - pause / 4 + pause / 2 * spread / 0xff;
  }
}
