package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.DataMessage.OfService;
import io.treecast.agent.core.message.DataMessage.TimeOfRoot;
import io.treecast.collectives.clock.ClockEffects;
import io.treecast.collectives.clock.ClusterClock;
import io.treecast.collectives.clock.RootTime;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent's knowledge of the root's time, and the conversion of its messages. The owner of a link,
 * which probes it, converts in both directions, so on the wire instants are by the other end's
 * clock. While the owner does not know how the clocks differ, statements are dropped; the root
 * repeats them.
 */
public final class ClockPost implements TreeService {
  private final NodeId self;
  private final Links links;
  private final ClusterClock clock;

  /**
   * Creates it without a tree.
   *
   * @param effects knows the time of this machine
   * @param send to a neighbour
   */
  public ClockPost(
      NodeId self, Links links, AgentEffects effects, BiConsumer<NodeId, OfService> send) {
    this.self = self;
    this.links = links;
    this.clock = new ClusterClock(self, new Effects(effects, send));
  }

  /** Returns the clock, to be read. */
  public ClusterClock clock() {
    return clock;
  }

  @Override
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    clock.treeCommitted(tree, nowNanos);
  }

  @Override
  public void streamOpened(NodeId neighbour, long nowNanos) {
    clock.opened(neighbour, nowNanos);
  }

  @Override
  public void streamClosed(NodeId neighbour) {
    clock.closed(neighbour);
  }

  @Override
  public boolean received(NodeId neighbour, OfService message, long nowNanos) {
    if (!(message instanceof TimeOfRoot timeOfRoot)) {
      return false;
    }
    RootTime time = timeOfRoot.time();
    Link link = links.open(neighbour);
    if (link != null && link.isOwnedBy(self)) {
      long aheadNanos = -link.clock.aheadNanos();
      time = converted(link, time, aheadNanos, nowNanos - time.atNanos() - aheadNanos, nowNanos);
    }
    if (time != null) {
      clock.received(neighbour, time, nowNanos);
    }
    return true;
  }

  private static @Nullable RootTime converted(
      Link link, RootTime time, long aheadNanos, long ageNanos, long nowNanos) {
    long errorNanos = link.clock.errorNanos(nowNanos);
    return errorNanos == Long.MAX_VALUE ? null : time.byClock(aheadNanos, errorNanos, ageNanos);
  }

  @Override
  public void tick(long nowNanos) {
    clock.tick(nowNanos);
  }

  @Override
  public long nextDeadlineNanos() {
    return clock.nextDeadlineNanos();
  }

  private final class Effects implements ClockEffects {
    private final AgentEffects effects;
    private final BiConsumer<NodeId, OfService> send;

    Effects(AgentEffects effects, BiConsumer<NodeId, OfService> send) {
      this.effects = effects;
      this.send = send;
    }

    @Override
    public void send(NodeId neighbour, RootTime time) {
      Link link = links.open(neighbour);
      RootTime onWire = time;
      if (link != null && link.isOwnedBy(self)) {
        // The statement is about the present.
        onWire = converted(link, time, link.clock.aheadNanos(), 0, time.atNanos());
      }
      if (onWire != null && onWire.errorNanos() <= RootTime.MAX_ERROR_NANOS) {
        send.accept(neighbour, new TimeOfRoot(onWire));
      }
    }

    @Override
    public long unixNanos() {
      return effects.unixNanos();
    }
  }
}
