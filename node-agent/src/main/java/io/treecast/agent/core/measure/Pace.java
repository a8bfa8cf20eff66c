package io.treecast.agent.core.measure;

import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.agent.core.tree.TreeDriver;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.probe.LinkProbe;
import io.treecast.monitor.probe.ProbePolicy;
import io.treecast.monitor.probe.ProbeTurns;
import io.treecast.monitor.weight.LinkRole;
import io.treecast.mst.CommittedTree;
import org.jspecify.annotations.Nullable;

/**
 * Decides how often this agent probes each of its links.
 *
 * <p>A link is <em>brisk</em>, which means probed at the steady interval,
 *
 * <ul>
 *   <li>before the first tree;
 *   <li>while it is this agent's edge to its parent in the committed tree. Each edge leads from one
 *       child to its parent, and each agent has at most one parent. So all edges are brisk, and no
 *       agent probes more than one of them, even if the tree is a star;
 *   <li>for a <em>close look</em> of {@value #CLOSE_LOOK_WINDOWS} windows of samples, when the
 *       other end has joined the tree, since the link's weight depends on that, and after a reply
 *       that differs significantly from the forecast;
 *   <li>for a window of {@linkplain Heartbeats heartbeats}, when this end tries a link that it does
 *       not own;
 *   <li>while it carries uploads, and afterwards for as many probes or heartbeats as in a close
 *       look, at the end that is the child in the widest tree. So a dead end is detected as soon as
 *       on an edge of the first tree.
 * </ul>
 *
 * <p>The other links are <em>calm</em>: they are probed in turns. Sometimes an agent probes all
 * links at once, and those that do not answer soon count as silent. It <em>calls the roll</em>
 *
 * <ul>
 *   <li>when an edge of the tree is suspected to be dead, since more links may have failed with it.
 *       The probes request that the other ends call the roll of their own links as well;
 *   <li>when a change of the tree takes longer than a steady interval, since it may wait for dead
 *       links that have not been detected yet. In a large cluster many changes take so long, so
 *       this roll call waits until the budget has room.
 * </ul>
 */
public final class Pace {
  /** Two windows, since the forecast follows the second measurement that differs. */
  private static final int CLOSE_LOOK_WINDOWS = 2;

  /** How long an agent of a large cluster takes to find its neighbours. */
  private static final long FINDING_NANOS = 120_000_000_000L;

  /** The minimum number of steady intervals between roll calls. */
  private static final int ROLL_CALL_INTERVALS = 2;

  private final NodeId self;
  private final Links links;
  private final TreeDriver tree;
  private final ProbeTurns turns;
  private final long steadyNanos;
  private final int closeLookProbes;
  private @Nullable CommittedTree committed;
  private @Nullable NodeId parent;

  /** The beginning of the change of the tree for which the roll was last called. */
  private long calledForChangeNanos = -1;

  /** Whether a roll call is due. */
  private boolean isRollDue;

  private boolean hasCalled;
  private long calledNanos;

  public Pace(CoreConfig config, Links links, TreeDriver tree) {
    ProbePolicy policy = config.probes();
    this.self = config.self();
    this.links = links;
    this.tree = tree;
    this.turns = new ProbeTurns(policy);
    this.steadyNanos = policy.steadyInterval().toNanos();
    this.closeLookProbes = CLOSE_LOOK_WINDOWS * policy.windowSamples();
  }

  /**
   * Follows the state of the tree.
   *
   * @return whether links may have become brisk
   */
  public boolean follow() {
    CommittedTree now = tree.tree();
    CommittedTree before = committed;
    if (now == null || (before != null && now.equals(before))) {
      return false;
    }
    NodeId towardsRoot = now.parents().get(self);
    parent = towardsRoot == null || towardsRoot.equals(self) ? null : towardsRoot;
    for (Link link : links.open()) {
      LinkProbe probe = link.probe;
      boolean wasMember = before != null && before.hasMember(link.peer);
      if (probe != null && !wasMember && now.hasMember(link.peer)) {
        link.closeLookUntil = probe.probesSent() + closeLookProbes;
      }
    }
    committed = now;
    return true;
  }

  /** Requests a roll call. */
  void probeAllLinks() {
    isRollDue = true;
  }

  /** Returns whether to call the roll now, and notes the call. */
  boolean probesAllLinks(long nowNanos) {
    if (nowNanos >= nextDeadlineNanos()) {
      calledForChangeNanos = tree.changeSinceNanos();
      isRollDue = true;
    }
    boolean calls =
        isRollDue
            && committed != null
            && !(hasCalled && nowNanos - calledNanos < ROLL_CALL_INTERVALS * steadyNanos);
    isRollDue = false;
    if (calls) {
      hasCalled = true;
      calledNanos = nowNanos;
    }
    return calls;
  }

  /** Returns when {@link #probesAllLinks} becomes due without an event. */
  long nextDeadlineNanos() {
    long sinceNanos = tree.changeSinceNanos();
    return sinceNanos == calledForChangeNanos
        ? Long.MAX_VALUE
        : Math.max(sinceNanos + steadyNanos, roomNanos());
  }

  long steadyNanos() {
    return steadyNanos;
  }

  boolean isBrisk(Link link) {
    return committed == null
        || isEdgeToParent(link)
        || isLookedAtClosely(link)
        || isWatched(link)
        || link.trialHeartbeats > 0;
  }

  private boolean isEdgeToParent(Link link) {
    return parent != null && link.peer.equals(parent);
  }

  private static boolean isLookedAtClosely(Link link) {
    return link.probe != null && link.probe.probesSent() < link.closeLookUntil;
  }

  private static boolean isWatched(Link link) {
    return link.probe != null && link.probe.probesSent() < link.watchedUntil;
  }

  /** Returns whether the link is beside the tree of a large cluster, which tries many links. */
  boolean isBeside(Link link) {
    return !links.isMesh() && tree.linkRole(link.peer) == LinkRole.BESIDE;
  }

  /**
   * Returns whether the link is a trial by an agent that has found its neighbours. A single lucky
   * measurement of such a link must not change the tree, and more probes are not worth their cost.
   * Before the agent has found its neighbours, such links improve the tree.
   */
  boolean isOneMore(Link link, long nowNanos) {
    return isBeside(link) && !isFinding(nowNanos);
  }

  private boolean isFinding(long nowNanos) {
    return nowNanos - tree.startedNanos() < FINDING_NANOS;
  }

  /**
   * Returns whether other links may be tried. Once the agent has found its neighbours, trials wait
   * for room in the budget.
   */
  boolean mayTry(long nowNanos) {
    return isFinding(nowNanos) || hasRoom(nowNanos);
  }

  /** Returns whether the budget has room for probes that can wait. */
  boolean hasRoom(long nowNanos) {
    return nowNanos >= roomNanos();
  }

  private long roomNanos() {
    return turns.roomNanos(links.open().size());
  }

  /** Notes that a link was probed, and schedules the next probe of a calm one. */
  public void probed(Link link, LinkProbe probe, long nowNanos) {
    int taking = links.open().size();
    boolean isMeasured = probe.isSteady() || (probe.isBurstOver() && isOneMore(link, nowNanos));
    if (isMeasured && !isBrisk(link)) {
      probe.nextAt(turns.next(taking, nowNanos));
    } else if (committed != null && !isEdgeToParent(link)) {
      turns.probedBeside(taking, nowNanos);
    }
  }

  /** Notes that a heartbeat was sent on a link that this end does not own. */
  void asked(Link link, long nowNanos) {
    if (committed != null && !isEdgeToParent(link)) {
      turns.probedBeside(links.open().size(), nowNanos);
    }
  }

  /**
   * Makes the link brisk for a while, whichever end owns it.
   *
   * @return whether it was not brisk before
   */
  boolean watch(Link link) {
    if (isEdgeToParent(link)) {
      return false;
    }
    boolean isNew = !isBrisk(link);
    if (link.probe != null) {
      link.watchedUntil = link.probe.probesSent() + closeLookProbes;
    } else {
      link.trialHeartbeats = closeLookProbes;
    }
    return isNew;
  }

  /**
   * Handles a reply that differs from the forecast.
   *
   * @param number the number of the answered probe
   * @return whether a close look at the link begins
   */
  boolean startCloseLook(Link link, LinkProbe probe, long number) {
    if (isBrisk(link)
        || number <= link.closeLookUntil
        || links.open().stream().filter(Pace::isLookedAtClosely).count() >= turns.maxCloseLooks()) {
      return false;
    }
    link.closeLookUntil = probe.probesSent() + closeLookProbes;
    return true;
  }
}
