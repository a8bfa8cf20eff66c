package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.contract.Notice;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.message.DataMessage.SharedValue;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.values.MapName;
import io.treecast.collectives.values.Values;
import io.treecast.collectives.values.ValuesEffects;
import io.treecast.collectives.values.ValuesLimits;
import io.treecast.collectives.values.ValuesMessage;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.function.BiConsumer;

/** Runs the shared values of an agent along the committed tree. */
public final class SharedValues implements TreeService {
  private final NodeId self;
  private final Values values;

  /**
   * Creates the service without values.
   *
   * @param send sends a message to a neighbour
   */
  public SharedValues(
      CoreConfig config,
      ValuesLimits limits,
      AgentEffects effects,
      BiConsumer<NodeId, ServiceMessage> send) {
    self = config.self();
    values = new Values(self, config.incarnation(), limits, new Effects(effects, send));
  }

  public Values values() {
    return values;
  }

  @Override
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    values.treeCommitted(tree.members(), tree.neighbours(self), nowNanos);
  }

  @Override
  public void streamOpened(NodeId neighbour, long nowNanos) {
    values.opened(neighbour, nowNanos);
  }

  @Override
  public void streamClosed(NodeId neighbour) {
    values.closed(neighbour);
  }

  @Override
  public boolean received(NodeId neighbour, ServiceMessage message, long nowNanos) {
    if (message instanceof SharedValue value) {
      values.received(neighbour, value.message(), nowNanos);
      return true;
    }
    return false;
  }

  @Override
  public void tick(long nowNanos) {
    values.tick(nowNanos);
  }

  @Override
  public long nextDeadlineNanos() {
    return values.nextDeadlineNanos();
  }

  private record Effects(AgentEffects effects, BiConsumer<NodeId, ServiceMessage> send)
      implements ValuesEffects {
    @Override
    public void send(NodeId neighbour, ValuesMessage message) {
      send.accept(neighbour, new SharedValue(message));
    }

    @Override
    public long unixMicros() {
      return effects.unixNanos() / 1_000;
    }

    @Override
    public void changed(MapName map, String key) {
      effects.valueChanged(map, key);
    }

    @Override
    public void full(MapName map) {
      effects.noticed(
          Notice.warning(
              Notice.Kind.VALUES_FULL,
              "no space for values of other members in map '"
                  + map.name()
                  + "', so this agent lacks some of them: delete values, or raise"
                  + " limits.valuesBytes and limits.valueMapBytes at all agents"));
    }
  }
}
