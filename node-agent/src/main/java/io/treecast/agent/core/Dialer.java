package io.treecast.agent.core;

import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that this agent tries to reach, and when it tries each next: at once, then with
 * pauses that double. They are short again after a link that has lasted: what breaks each link soon
 * after its handshake is not repaired by dialing again at once.
 *
 * <p>Owned by the agent's thread.
 */
final class Dialer {
  private static final long UNKNOWN = Long.MIN_VALUE;

  /** A link that has lived for so many of the longest pauses was a good one. */
  private static final int LASTING_PAUSES = 2;

  /** An address and what is known of it. */
  static final class Target {
    final String address;
    final boolean seed;
    private @Nullable NodeId id;
    private int failures;
    private long nextDialNanos;
    private boolean dialing;
    private boolean answered;

    /** Why its connection ended before it was a link, the last time that somebody said so. */
    private @Nullable String lastBreak;

    /** Whether an attempt to reach it has come to its end, good or bad. */
    private boolean tried;

    Target(String address, boolean seed, @Nullable NodeId id, long nextDialNanos) {
      this.address = address;
      this.seed = seed;
      this.id = id;
      this.nextDialNanos = nextDialNanos;
    }

    /** Who is there; null until somebody has answered. */
    @Nullable NodeId id() {
      return id;
    }

    /** Whether it was dialed in vain and nobody there has ever said a word. */
    boolean silent() {
      return !answered && failures > 0;
    }

    /** The address, and why it is silent if that is known. */
    String silence() {
      return lastBreak == null ? address : address + ": " + lastBreak;
    }
  }

  /** Whether a node needs no dialing: it is linked, or not wanted, or it is this node. */
  interface Satisfied {
    boolean test(NodeId id);
  }

  private final NodeId self;
  private final LinkLimits limits;
  private final Map<String, Target> targets = new LinkedHashMap<>();

  /**
   * Those that were to be dialed sooner or later when something last {@linkplain #changed}; null if
   * they have to be found anew. In a large cluster these are few of many.
   */
  private @Nullable List<Target> wanted;

  /** When the next target is due; {@link #UNKNOWN} if that has to be found out. */
  private long nextDialNanos = UNKNOWN;

  /** The untried target that was found last: asked for after each event while a process starts. */
  private @Nullable Target untried;

  /** Whether none was left, and nothing has {@linkplain #changed} since. */
  private boolean allTried;

  Dialer(NodeId self, LinkLimits limits) {
    this.self = self;
    this.limits = limits;
  }

  void addSeed(String address, long nowNanos) {
    targets.putIfAbsent(address, new Target(address, true, null, nowNanos));
    changed();
  }

  /**
   * A configured neighbour, which has this node configured too: the end with the lower id dials at
   * once, the other only if no link has come about for a while.
   */
  void addNeighbour(Member member, long nowNanos) {
    long grace = self.compareTo(member.id()) < 0 ? 0 : limits.higherEndGraceNanos();
    addMember(member, nowNanos + grace);
  }

  /** A member that others told of, and that may not know of this node: dialed at once. */
  void addMember(Member member, long nowNanos) {
    Target known = targets.get(member.address());
    if (known != null) {
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
    targets.put(member.address(), new Target(member.address(), false, member.id(), nowNanos));
  }

  /** A member is no more where it was, but here; where it was a seed, somebody may come back. */
  void moved(Member member, long nowNanos) {
    forget(member.id());
    addMember(member, nowNanos);
  }

  Collection<Target> targets() {
    return targets.values();
  }

  /** Targets to dial now; each is taken to be dialing until {@link #linked} or {@link #failed}. */
  List<Target> due(long nowNanos, Satisfied satisfied) {
    List<Target> due = new ArrayList<>();
    if (nowNanos < nextDialNanos) {
      return due;
    }
    nextDialNanos = UNKNOWN;
    for (Target target : wanted(satisfied)) {
      if (isToBeDialed(target, satisfied) && target.nextDialNanos <= nowNanos) {
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
          next = Math.min(next, target.nextDialNanos);
        }
      }
      nextDialNanos = next;
    }
    return nextDialNanos;
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
    return id == null || !satisfied.test(id);
  }

  private static boolean isToBeDialed(Target target, Satisfied satisfied) {
    return !target.dialing && wants(target, satisfied);
  }

  /** Whether there is an address that was not tried to its end yet. */
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

  /** There are other targets, or other ones are satisfied. */
  void changed() {
    wanted = null;
    nextDialNanos = UNKNOWN;
    untried = null;
    allTried = false;
  }

  private static boolean isUntried(Target target, Satisfied satisfied) {
    return !target.tried && wants(target, satisfied);
  }

  /** The node is gone for good; where it was a seed, somebody may come back. */
  void forget(NodeId id) {
    changed();
    targets.values().removeIf(target -> !target.seed && Objects.equals(id, target.id));
    for (Target seed : targets.values()) {
      if (Objects.equals(id, seed.id)) {
        seed.id = null;
      }
    }
  }

  /** Somebody is there. */
  void answered(Target target) {
    target.answered = true;
  }

  /** This node is there. */
  void identified(Target target, NodeId id) {
    target.id = id;
    changed();
  }

  /** The dialed connection became the link. */
  void linked(Target target) {
    nextDialNanos = UNKNOWN;
    target.tried = true;
    target.dialing = false;
  }

  /** The network, or who is there, ended the dialed connection. */
  void broke(Target target, String reason) {
    target.lastBreak = reason;
  }

  /** The dialed connection is gone without having become the link. */
  void failed(Target target, long nowNanos) {
    nextDialNanos = UNKNOWN;
    target.tried = true;
    target.dialing = false;
    target.nextDialNanos = nowNanos + pauseNanos(target);
    target.failures++;
  }

  /**
   * A link to this node is lost: it may be dialed again.
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

  /** This node is to be left alone until then. */
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
    for (int i = 0; i < target.failures && pause < limits.redialMaxNanos(); i++) {
      pause *= 2;
    }
    pause = Math.min(pause, limits.redialMaxNanos());
    int spread = (self + "/" + target.address + "/" + target.failures).hashCode() & 0xff;
    return pause - pause / 4 + pause / 2 * spread / 0xff;
  }
}
