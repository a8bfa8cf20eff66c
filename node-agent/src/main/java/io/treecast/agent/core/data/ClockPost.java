package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.link.Link;
import io.treecast.agent.core.link.Links;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.message.DataMessage.TimeOfRoot;
import io.treecast.collectives.clock.ClockEffects;
import io.treecast.collectives.clock.ClusterClock;
import io.treecast.collectives.clock.RootTime;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the clock of the root's time at an agent, and converts its messages between the clocks of
 * two agents. The owner of a link, which probes it, converts in both directions, so instants on the
 * wire are by the other end's clock. While the owner does not know the clock difference, messages
 * are dropped; the root repeats them.
 */
public final class ClockPost implements TreeService {
  private final NodeId self;
  private final Links links;
  private final ClusterClock clock;

  /**
   * Creates the service without a tree.
   *
   * @param effects supplies the time of this machine
   * @param send sends a message to a neighbour
   */
  public ClockPost(
      NodeId self, Links links, AgentEffects effects, BiConsumer<NodeId, ServiceMessage> send) {
    this.self = self;
    this.links = links;
    this.clock = new ClusterClock(self, new Effects(effects, send));
  }

  /** Returns the clock, for reading. */
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
  public boolean received(NodeId neighbour, ServiceMessage message, long nowNanos) {
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
    private final BiConsumer<NodeId, ServiceMessage> send;

    Effects(AgentEffects effects, BiConsumer<NodeId, ServiceMessage> send) {
      this.effects = effects;
      this.send = send;
    }

    @Override
    public void send(NodeId neighbour, RootTime time) {
      Link link = links.open(neighbour);
      RootTime onWire = time;
      if (link != null && link.isOwnedBy(self)) {
        // The message is about the present, so its age is 0.
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
