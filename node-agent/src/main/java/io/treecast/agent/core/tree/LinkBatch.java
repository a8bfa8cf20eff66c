package io.treecast.agent.core.tree;

import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.weight.TreeStake;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measured links that the tree does not have yet, and the messages that came on each meanwhile;
 * decides when they are handed over.
 *
 * <p>A link waits while others are still being linked or measured, though not for longer than
 * {@link LinkLimits#batchNanos}. So the first tree is built of all links at once, and a member that
 * joins, or a partition that heals, causes one change and not one for each link. Messages of the
 * other end wait too, in order, as if the link were slow.
 *
 * <p>In a large cluster, a link that the tree can do without also {@linkplain #awaitsCommit waits
 * for the end of a change}.
 */
public final class LinkBatch {
  /** Messages that may wait on a link before the link is handed over for their sake. */
  public static final int MAX_HELD_MESSAGES = 64;

  /** How much longer a link that the tree can do without waits for the end of a change. */
  private static final long COMMIT_NANOS = 60_000_000_000L;

  /**
   * How long after a lack of processor time the first weights may come: an agent counts as busy for
   * a while, and repeats failed dials and measurements in this time.
   */
  private static final long HELD_UP_NANOS = 10_000_000_000L;

  /** Later than any time, also with a limit added to it. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  /**
   * A link that waits.
   *
   * @param weight its weight when it was measured
   * @param sinceNanos when that was
   * @param held what came afterwards, in order
   */
  record Waiting(Link link, LinkWeight weight, long sinceNanos, ArrayDeque<PeerMessage> held) {
    private boolean isFull() {
      return held.size() > MAX_HELD_MESSAGES;
    }

    private long awaitsUntilNanos() {
      return sinceNanos + COMMIT_NANOS;
    }
  }

  private final LinkLimits limits;
  private final Links links;
  private final TreeDriver tree;
  private final Lateness lateness;

  /** In the order in which they were measured. */
  private final Map<NodeId, Waiting> waiting = new LinkedHashMap<>();

  /** The deadline of all waiting links or, before them, of the start. */
  private long deadlineNanos = NEVER;

  /** The end of the wait for late first weights after the start. */
  private long lateWeightsNanos = NEVER;

  private long quietSinceNanos = NEVER;

  /** Until when first weights are late because an end was busy; 0 if none was. */
  private long weightsUntilNanos;

  /** Until when dials are late because this agent was overloaded; 0 if it was not. */
  private long dialsUntilNanos;

  LinkBatch(LinkLimits limits, Links links, TreeDriver tree, Lateness lateness) {
    this.limits = limits;
    this.links = links;
    this.tree = tree;
    this.lateness = lateness;
  }

  /** Begins to wait for the first links. */
  void start(long nowNanos) {
    quietSinceNanos = nowNanos;
    deadlineNanos = nowNanos + limits.gatherNanos();
    lateWeightsNanos = deadlineNanos + limits.gatherNanos() + Lateness.MAX_MEASURING_NANOS;
  }

  /** Notes that a link has opened, or a member has become known: more may follow. */
  void gathering(long nowNanos) {
    quietSinceNanos = nowNanos;
  }

  /** Adds a link when both ends know its first weight in this session. */
  void measured(Link link, LinkWeight weight, long nowNanos) {
    quietSinceNanos = nowNanos;
    if (allAwaitCommit(nowNanos)) {
      deadlineNanos = nowNanos + limits.batchNanos();
    }
    waiting.put(link.peer, new Waiting(link, weight, nowNanos, new ArrayDeque<>()));
  }

  /** Returns whether a link waits. */
  boolean holds(Link link) {
    return waiting.containsKey(link.peer);
  }

  /**
   * Keeps a message that came on a waiting link.
   *
   * @return whether it does
   */
  boolean hold(Link link, PeerMessage message, long nowNanos) {
    Waiting one = waiting.get(link.peer);
    if (one == null) {
      return false;
    }
    one.held.add(message);
    if (!tree.hasStarted() && message instanceof Tree) {
      // There is a tree already, and a search may wait for this agent.
      deadlineNanos = Math.min(deadlineNanos, nowNanos + limits.batchNanos());
      lateWeightsNanos = Math.min(lateWeightsNanos, nowNanos + limits.gatherNanos());
    }
    return true;
  }

  /** Drops a link whose session is over. */
  void lost(Link link) {
    waiting.remove(link.peer);
  }

  /** Returns when {@link #isDue} may come true without an event. */
  long nextDeadlineNanos(long nowNanos) {
    if (allAwaitCommit(nowNanos)) {
      long nextNanos = Long.MAX_VALUE; // A stream would take longer than all other deadlines.
      for (Waiting one : waiting.values()) {
        nextNanos = Math.min(nextNanos, one.awaitsUntilNanos());
      }
      return nextNanos;
    }
    boolean alone = waiting.isEmpty() && !links.unsettled();
    long dueNanos = dueNanos(nowNanos);
    return alone ? Math.min(dueNanos, quietUntilNanos()) : dueNanos;
  }

  /**
   * Returns the time at which the wait ends in any case.
   *
   * <p>An agent that starts without processor time waits longer for members to answer. It also
   * waits for first weights that are late because an end lacks processor time: a tree without these
   * links would change as soon as they are measured.
   */
  private long dueNanos(long nowNanos) {
    if (tree.hasStarted() || deadlineNanos >= NEVER) {
      return deadlineNanos;
    }
    boolean isBusy = lateness.isBusy(nowNanos);
    boolean isOwnerBusy =
        links.open().stream().anyMatch(link -> link.isFirstWeightDue() && link.ownerIsBusy);
    if (isBusy || isOwnerBusy) {
      weightsUntilNanos = nowNanos + HELD_UP_NANOS;
    }
    if (lateness.isOverloaded(nowNanos)) {
      dialsUntilNanos = nowNanos + HELD_UP_NANOS;
    }
    boolean areWeightsDue = links.open().stream().anyMatch(Link::isFirstWeightDue);
    long membersNanos = isBusy ? deadlineNanos + limits.gatherNanos() : deadlineNanos;
    long weightsNanos = areWeightsDue ? weightsUntilNanos : 0;
    return Math.max(membersNanos, Math.min(lateWeightsNanos, Math.max(weightsNanos, dialsNanos())));
  }

  /**
   * Returns until when an agent without links waits for its seeds because it was overloaded: dials
   * may fail for that reason alone, and trees of one that meet later would change the tree several
   * times.
   */
  private long dialsNanos() {
    return links.open().isEmpty() && links.seedCount() > 0 ? dialsUntilNanos : 0;
  }

  /** Returns when an agent without links stops waiting for unknown members. */
  private long quietUntilNanos() {
    return Math.max(
        quietSinceNanos + limits.gatherQuietNanos(), Math.min(lateWeightsNanos, dialsNanos()));
  }

  /** Returns whether the wait is over: a batch is to be handed over, or the first begins. */
  boolean isDue(long nowNanos) {
    if (allAwaitCommit(nowNanos)) {
      return false;
    }
    boolean isOver = nowNanos >= dueNanos(nowNanos);
    boolean isQuiet = !waiting.isEmpty() || nowNanos >= quietUntilNanos();
    return isOver
        || (isQuiet && !links.unsettled())
        || waiting.values().stream().anyMatch(Waiting::isFull);
  }

  /** Takes the links that are to be handed over now, in the order in which they were measured. */
  List<Waiting> take(long nowNanos) {
    List<Waiting> batch =
        waiting.values().stream().filter(one -> !awaitsCommit(one, nowNanos)).toList();
    batch.forEach(one -> waiting.remove(one.link.peer));
    return batch;
  }

  /**
   * Returns whether a link is withheld from the automaton until it commits.
   *
   * <p>A fragment that sees a new link leave it repeats its search, so in a large cluster, which
   * tries links all the time, a tree might never be committed. But a search of the other end's may
   * wait for this one to take part in the link.
   */
  boolean awaitsCommit(Link link, long nowNanos) {
    return awaitsCommit(waiting.get(link.peer), nowNanos);
  }

  private boolean awaitsCommit(@Nullable Waiting one, long nowNanos) {
    return one != null
        && tree.isChanging()
        && !links.isMesh()
        && nowNanos < one.awaitsUntilNanos()
        && tree.stake(one.link.peer) == TreeStake.BESIDE
        && !one.isFull()
        && one.held.stream().noneMatch(Tree.class::isInstance);
  }

  /** Returns whether all waiting links, if there are any, are withheld until the tree commits. */
  private boolean allAwaitCommit(long nowNanos) {
    if (!tree.hasStarted()) {
      return false;
    }
    for (Waiting one : waiting.values()) {
      if (!awaitsCommit(one, nowNanos)) {
        return false;
      }
    }
    return true;
  }
}
