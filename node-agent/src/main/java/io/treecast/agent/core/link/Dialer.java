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
 * The addresses that this agent tries to reach, and when it tries each next: at once, then with
 * pauses that double. Pauses are short again after a link that has lasted: if links break soon
 * after their handshake, dialing again at once does not help.
 */
final class Dialer {
  private static final long UNKNOWN = Long.MIN_VALUE;

  /** How often in a row an agent without links dials the address that it announces. */
  private static final int OWN_DIALS = 8;

  /** A pause that lasts until it is shortened. */
  private static final long NEVER_NANOS = Long.MAX_VALUE / 4;

  /** A link that has lived for this many of the longest pauses has lasted. */
  private static final int LASTING_PAUSES = 2;

  /**
   * A seed that may lead to others is asked again after this many of the longest pauses for each
   * member, so that all members together ask it once in that time.
   */
  private static final int ASK_AGAIN_PAUSES = 6;

  /**
   * How many addresses that were learnt from others, and that never answered, are dialed in a row.
   */
  private static final int HEARSAY_BURST = 64;

  /** The interval of such dials after that. */
  private static final long HEARSAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The longest pause of each such address, in longest pauses. */
  private static final int HEARSAY_PAUSES = 64;

  /**
   * The pause before an agent that is about to decide is asked again: as after this many failures.
   */
  private static final int AWAITED_FAILURES = 1;

  /** An address and what is known of it. */
  static final class Target {
    final String address;
    final boolean seed;

    /** Whether this node has it only from others. */
    private final boolean hearsay;

    /** Whether the target serves only to look up a member, and is dropped afterwards. */
    private boolean passing;

    private long lastFailedNanos;
    private @Nullable NodeId id;
    private int failures;
    private long nextDialNanos;
    private boolean dialing;

    /**
     * Whether it is dialed although the node has a link: another incarnation of it may be there.
     */
    private boolean lookedUp;

    /** Whether the agent there is about to decide whether it links. */
    private boolean awaited;

    private boolean answered;

    /**
     * Whether it is a seed that need not lead to the agent that answered: a name with several
     * addresses, a balancer, or another name of that agent.
     */
    private boolean mayLeadElsewhere;

    /** Whether only this agent itself has answered there. */
    private boolean onlySelf;

    /**
     * Whether others reach this agent there, as it says. Without links it is dialed, since it may
     * be the address of a balancer, which also leads to others.
     */
    final boolean own;

    /** Why its connection last ended before it became a link, if a reason was given. */
    private @Nullable String lastBreak;

    /** Whether an attempt to reach it has ended, with or without success. */
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

    /** Returns the node there; null until one has answered. */
    @Nullable NodeId id() {
      return id;
    }

    /** Returns whether it was dialed in vain and no agent there has ever answered. */
    boolean silent() {
      return !answered && failures > 0;
    }

    /** Returns whether only this agent itself has answered there. */
    boolean isOnlySelf() {
      return onlySelf;
    }

    /** Returns the address, and why it is silent if that is known. */
    String silence() {
      if (onlySelf) {
        return address + ": this agent itself";
      }
      return lastBreak == null ? address : address + ": " + lastBreak;
    }
  }

  /** The dialer's view of the cluster. */
  interface Cluster {
    /** Returns how many members are known, this node included. */
    int size();

    /** Returns whether a node is linked with this one, or in its tree. */
    boolean isPresent(NodeId id);

    /** Returns whether this node has no link. */
    boolean isAlone();
  }

  /** Whether a node needs no dialing: it is linked, or not wanted, or it is this node. */
  interface Satisfied {
    boolean test(NodeId id);
  }

  private final NodeId self;
  private final LinkLimits limits;
  private final Cluster cluster;
  private final Map<String, Target> targets = new LinkedHashMap<>();

  /**
   * The targets that were to be dialed sooner or later at the last {@linkplain #changed change};
   * null if they must be searched again. In a large cluster these are few of many.
   */
  private @Nullable List<Target> wanted;

  /**
   * Until when the dials of addresses from other agents are used up, if each takes its interval.
   */
  private long hearsayNanos = Long.MIN_VALUE / 2;

  /** When the next target is due; {@link #UNKNOWN} if that must be searched. */
  private long nextDialNanos = UNKNOWN;

  /**
   * The untried target that was found last, cached because every event asks for it while a process
   * starts.
   */
  private @Nullable Target untried;

  /** Whether none was left at the last search, and nothing has {@linkplain #changed} since. */
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

  /** Adds a seed that is the address at which this node says that others reach it. */
  void addOwnAddress(String address, long nowNanos) {
    targets.putIfAbsent(address, new Target(address, true, true, false, null, nowNanos));
    changed();
  }

  /**
   * Adds a configured neighbour, which has this node configured too: the end with the lower id
   * dials at once, the other only if no link has come about for a while.
   */
  void addNeighbour(Member member, long nowNanos) {
    long grace = self.compareTo(member.id()) < 0 ? 0 : limits.higherEndGraceNanos();
    add(member, false, nowNanos + grace);
  }

  /** Adds a member learnt from others, which may not know of this node: dialed at once. */
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

  /**
   * Adds a member's address at which another incarnation of a linked node may be: dialed at once.
   */
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

  /** Replaces the address of a member that has moved; if the old address is a seed, it is kept. */
  void moved(Member member, long nowNanos) {
    forget(member.id());
    addMember(member, nowNanos);
  }

  Collection<Target> targets() {
    return targets.values();
  }

  /**
   * Returns the targets to dial now; each counts as dialing until {@link #linked} or {@link
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
      found = targets.values().stream().filter(target -> wants(target, satisfied)).toList();
      wanted = found;
    }
    return found;
  }

  private static boolean wants(Target target, Satisfied satisfied) {
    NodeId id = target.id;
    return id == null || target.lookedUp || target.mayLeadElsewhere || !satisfied.test(id);
  }

  private static boolean isToBeDialed(Target target, Satisfied satisfied) {
    return !target.dialing && wants(target, satisfied);
  }

  /** Returns whether there is an address without a completed attempt. */
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

  /** Notes that targets, or the satisfied ones among them, have changed. */
  void changed() {
    wanted = null;
    nextDialNanos = UNKNOWN;
    untried = null;
    allTried = false;
  }

  private static boolean isUntried(Target target, Satisfied satisfied) {
    return !target.tried && wants(target, satisfied);
  }

  /** Removes a node that is gone for good; if its address is a seed, that is kept. */
  void forget(NodeId id) {
    changed();
    targets.values().removeIf(target -> !target.seed && Objects.equals(id, target.id));
    for (Target seed : targets.values()) {
      if (Objects.equals(id, seed.id)) {
        seed.id = null;
      }
    }
  }

  /** Notes that an agent is there. */
  void answered(Target target) {
    target.answered = true;
  }

  /**
   * Notes that this node is there.
   *
   * @param isItsAddress whether it says itself that others reach it at the target's address
   */
  void identified(Target target, NodeId id, boolean isItsAddress) {
    boolean isSelf = id.equals(self);
    boolean hadOthers = target.id != null && !target.onlySelf;
    target.onlySelf = isSelf && !hadOthers;
    target.id = isSelf && hadOthers ? target.id : id;
    target.mayLeadElsewhere = target.seed && (!isItsAddress || target.own);
    changed();
  }

  /** Notes that this node has no link any more: seeds that may lead to others are asked soon. */
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
   * Notes that one of the two agents is about to decide whether they link; it is dialed again then.
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
   * Notes that a link to this node is lost: it may be dialed again.
   *
   * @param livedNanos for how long it was open; {@link Long#MAX_VALUE} if it was ended on purpose
   */
  void lost(NodeId id, long livedNanos, long nowNanos) {
    changed();
    boolean hasLasted = livedNanos >= LASTING_PAUSES * limits.redialMaxNanos();
    for (Target target : targets.values()) {
      NodeId there = target.id;
      if (there != null && there.equals(id) && !target.dialing) {
        target.failures = hasLasted ? 0 : target.failures;
        target.nextDialNanos = nowNanos + pauseNanos(target);
        target.failures += hasLasted ? 0 : 1;
      }
    }
  }

  /** Leaves a node alone until then. */
  void pause(NodeId id, long untilNanos) {
    changed();
    for (Target target : targets.values()) {
      if (Objects.equals(id, target.id)) {
        target.nextDialNanos = Math.max(target.nextDialNanos, untilNanos);
      }
    }
  }

  /** Spread by a quarter, so that agents that failed together do not return together. */
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
