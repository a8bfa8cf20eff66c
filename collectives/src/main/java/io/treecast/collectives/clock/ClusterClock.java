package io.treecast.collectives.clock;

import io.treecast.collectives.broadcast.tree.TreeEpoch;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One member's knowledge of the time of the root. A member sends its children the root's time at an
 * instant. The owner of each link converts the instant from one end's clock to the other's, and
 * adds the error of their difference. So the error at a member is the sum of those on its path from
 * the root, and grows with time, because clocks drift. The root repeats its time each {@link
 * #REFRESH_NANOS}, and each member forwards it at once, so no statement is older than that interval
 * and its travel time.
 *
 * <p>Single-threaded. Times are nanoseconds of the member's monotonic clock, unless stated.
 */
public final class ClusterClock {
  /**
   * The interval at which the root repeats its time. Drift adds at most 2 ms to the bound
   * meanwhile. Costs a message on each edge of the tree.
   */
  public static final long REFRESH_NANOS = 10_000_000_000L;

  private static final long NEVER = Long.MAX_VALUE;

  private final NodeId self;
  private final ClockEffects effects;
  private final SortedSet<NodeId> streams = new TreeSet<>();

  /**
   * The latest statement of each neighbour with a stream. Its tree may not be committed here yet.
   */
  private final SortedMap<NodeId, RootTime> received = new TreeMap<>();

  private @Nullable TreeEpoch epoch;
  private NodeId parent;
  private List<NodeId> children = List.of();

  /** The best statement; until the first of the present epoch, that of the previous epoch. */
  private @Nullable RootTime best;

  /** The latest answer to {@link #now}. */
  private @Nullable RootTime lastAnswer;

  private long refreshDueNanos = NEVER;

  /** Creates a clock without a tree. */
  public ClusterClock(NodeId self, ClockEffects effects) {
    this.self = self;
    this.parent = self;
    this.effects = effects;
  }

  /** Begins the epoch of a tree that this member has committed. */
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    TreeEpoch begun = TreeEpoch.of(tree);
    epoch = begun;
    parent = tree.parents().getOrDefault(self, self);
    children = tree.neighbours(self).stream().filter(each -> !each.equals(parent)).toList();
    refreshDueNanos = NEVER;
    if (parent.equals(self)) {
      best = new RootTime(begun, nowNanos, effects.unixNanos(), 0);
      sendToChildren(nowNanos);
    } else {
      consider(received.get(parent), nowNanos);
    }
  }

  /** Notes that messages may be sent to a neighbour. */
  public void opened(NodeId neighbour, long nowNanos) {
    streams.add(neighbour);
    if (children.contains(neighbour)) {
      sendTo(neighbour, nowNanos);
    }
  }

  /** Notes that messages to and from a neighbour may be lost. */
  public void closed(NodeId neighbour) {
    streams.remove(neighbour);
    received.remove(neighbour);
  }

  /** Handles a neighbour's statement, converted to the clock of this member. */
  public void received(NodeId neighbour, RootTime time, long nowNanos) {
    received.put(neighbour, time);
    if (neighbour.equals(parent)) {
      consider(time, nowNanos);
    }
  }

  private void consider(@Nullable RootTime time, long nowNanos) {
    if (time == null || !time.epoch().equals(epoch)) {
      return;
    }
    RootTime before = best;
    if (before == null
        || !before.epoch().equals(time.epoch())
        || time.at(nowNanos).errorNanos() <= before.at(nowNanos).errorNanos()) {
      best = time;
    }
    sendToChildren(nowNanos);
  }

  private void sendToChildren(long nowNanos) {
    if (parent.equals(self) && !children.isEmpty()) {
      refreshDueNanos = nowNanos + REFRESH_NANOS;
    }
    children.forEach(child -> sendTo(child, nowNanos));
  }

  private void sendTo(NodeId child, long nowNanos) {
    RootTime time = at(nowNanos);
    if (time != null
        && time.epoch().equals(epoch)
        && time.errorNanos() <= RootTime.MAX_ERROR_NANOS
        && streams.contains(child)) {
      effects.send(child, time);
    }
  }

  /** Repeats the root's time if that is due. */
  public void tick(long nowNanos) {
    if (refreshDueNanos <= nowNanos) {
      sendToChildren(nowNanos);
    }
  }

  /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
  public long nextDeadlineNanos() {
    return refreshDueNanos;
  }

  /**
   * Returns the root's time now; null before the first statement. It never decreases within an
   * epoch. Right after a commit it may still be that of the previous epoch.
   */
  public @Nullable RootTime now(long nowNanos) {
    RootTime time = at(nowNanos);
    RootTime before = lastAnswer;
    if (time != null && before != null && before.epoch().equals(time.epoch())) {
      time = time.notBefore(before.rootNanos());
    }
    lastAnswer = time;
    return time;
  }

  /** Returns the root's time at an instant of this member's clock; null before any statement. */
  public @Nullable RootTime at(long instantNanos) {
    RootTime known = best;
    if (known == null) {
      return null;
    }
    return known.epoch().root().equals(self) ? known.atRoot(instantNanos) : known.at(instantNanos);
  }
}
