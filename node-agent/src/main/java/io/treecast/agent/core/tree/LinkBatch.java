package io.treecast.agent.core.tree;

import io.treecast.agent.core.link.Lateness;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.PeerMessage;
import io.treecast.agent.core.message.PeerMessage.Tree;
import io.treecast.agent.core.settings.LinkLimits;
import io.treecast.ghs.LinkWeight;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.weight.LinkRole;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measured links that are not yet in the tree automaton, each with the messages received on it
 * meanwhile. Decides when a link is handed over to the automaton.
 *
 * <p>A link waits while other links are being opened or measured, at most {@link
 * LinkLimits#batchNanos}. So the first tree is built of all links at once, and a member that joins,
 * or a partition that heals, causes a single change instead of one for each link. Messages from the
 * other end are queued in order, as if the link were slow.
 *
 * <p>In a large cluster, a link that the tree does not need also {@linkplain #awaitsCommit waits
 * for the end of a change}.
 */
public final class LinkBatch {
  /** The number of queued messages beyond which a link is handed over at once. */
  public static final int MAX_HELD_MESSAGES = 64;

  /** The longest wait of a link that the tree does not need for the end of a change. */
  private static final long COMMIT_NANOS = 60_000_000_000L;

  /**
   * The time granted for first weights and dials after a lack of processor time. A busy agent
   * repeats failed dials and measurements within this time.
   */
  private static final long HELD_UP_NANOS = 10_000_000_000L;

  /** Later than any time. A limit can be added without overflow. */
  private static final long NEVER = Long.MAX_VALUE / 2;

  /**
   * A link that waits.
   *
   * @param weight its first weight
   * @param sinceNanos when it was measured
   * @param held the messages received since then, in order
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

  /** The waiting links by peer, in the order of their measurement. */
  private final Map<NodeId, Waiting> waiting = new LinkedHashMap<>();

  /**
   * The deadline of all waiting links; before the start of the automaton, the deadline of that
   * start.
   */
  private long deadlineNanos = NEVER;

  /** The latest time until which the start of the automaton waits for late first weights. */
  private long lateWeightsNanos = NEVER;

  private long quietSinceNanos = NEVER;

  /** Until when late first weights are excused because an end is busy; 0 if none was. */
  private long weightsUntilNanos;

  /** Until when late dials are excused because this agent is overloaded; 0 if it was not. */
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

  /** Notes that a link has opened or a member has become known, so that more may follow. */
  void gathering(long nowNanos) {
    quietSinceNanos = nowNanos;
  }

  /** Adds a link. Both ends must know its first weight in this session. */
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
   * Queues a message if its link waits.
   *
   * @return whether the message was queued
   */
  boolean hold(Link link, PeerMessage message, long nowNanos) {
    Waiting one = waiting.get(link.peer);
    if (one == null) {
      return false;
    }
    one.held.add(message);
    if (!tree.hasStarted() && message instanceof Tree) {
      // Another agent has a tree, and its search may wait for this agent.
      deadlineNanos = Math.min(deadlineNanos, nowNanos + limits.batchNanos());
      lateWeightsNanos = Math.min(lateWeightsNanos, nowNanos + limits.gatherNanos());
    }
    return true;
  }

  /** Drops a link whose session has ended. */
  void lost(Link link) {
    waiting.remove(link.peer);
  }

  /** Returns when {@link #isDue} may become true without an event. */
  long nextDeadlineNanos(long nowNanos) {
    if (allAwaitCommit(nowNanos)) {
      long nextNanos = Long.MAX_VALUE; // A Java stream would take longer than all else here.
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
   * <p>A starting agent that lacks processor time waits longer for members to answer. It also waits
   * for first weights that are late because an end lacks processor time. A tree without these links
   * would change as soon as they are measured.
   */
  private long dueNanos(long nowNanos) {
    if (tree.hasStarted() || deadlineNanos >= NEVER) {
      return deadlineNanos;
    }
    boolean isBusy = lateness.isBusy(nowNanos);
    boolean isOwnerBusy = false;
    boolean areWeightsDue = false;
    for (Link link : links.open()) { // After each event of a starting agent.
      if (link.isFirstWeightDue()) {
        areWeightsDue = true;
        isOwnerBusy |= link.ownerIsBusy;
      }
    }
    if (isBusy || isOwnerBusy) {
      weightsUntilNanos = nowNanos + HELD_UP_NANOS;
    }
    if (lateness.isOverloaded(nowNanos)) {
      dialsUntilNanos = nowNanos + HELD_UP_NANOS;
    }
    long membersNanos = isBusy ? deadlineNanos + limits.gatherNanos() : deadlineNanos;
    long weightsNanos = areWeightsDue ? weightsUntilNanos : 0;
    return Math.max(membersNanos, Math.min(lateWeightsNanos, Math.max(weightsNanos, dialsNanos())));
  }

  /**
   * Returns until when an agent without links waits for its seeds because it was overloaded. Dials
   * may fail for that reason alone, and single agents that link later would change the tree several
   * times.
   */
  private long dialsNanos() {
    return links.open().isEmpty() && links.seedCount() > 0 ? dialsUntilNanos : 0;
  }

  /** Returns when an agent without links to add stops waiting for further members. */
  private long quietUntilNanos() {
    return Math.max(
        quietSinceNanos + limits.gatherQuietNanos(), Math.min(lateWeightsNanos, dialsNanos()));
  }

  /**
   * Returns whether the wait has ended, so that the batch must be handed over or the automaton
   * started.
   */
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

  /** Removes and returns the links to hand over now, in the order of their measurement. */
  List<Waiting> take(long nowNanos) {
    List<Waiting> batch =
        waiting.values().stream().filter(one -> !awaitsCommit(one, nowNanos)).toList();
    batch.forEach(one -> waiting.remove(one.link.peer));
    return batch;
  }

  /**
   * Returns whether a link is withheld from the automaton until it commits.
   *
   * <p>A fragment repeats its search when it gets a new outgoing link. A large cluster tries new
   * links all the time, so it might never commit a tree. A link with a queued tree message is not
   * withheld, since a search of the other end may wait for the answer.
   */
  boolean awaitsCommit(Link link, long nowNanos) {
    return awaitsCommit(waiting.get(link.peer), nowNanos);
  }

  private boolean awaitsCommit(@Nullable Waiting one, long nowNanos) {
    return one != null
        && tree.isChanging()
        && !links.isMesh()
        && nowNanos < one.awaitsUntilNanos()
        && tree.linkRole(one.link.peer) == LinkRole.BESIDE
        && !one.isFull()
        && one.held.stream().noneMatch(Tree.class::isInstance);
  }

  /**
   * Returns whether all waiting links are withheld until the tree commits. True without waiting
   * links.
   */
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
