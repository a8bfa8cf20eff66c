package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.message.DataMessage.Collective;
import io.treecast.agent.core.message.DataMessage.ServiceMessage;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.Combining;
import io.treecast.collectives.operation.contract.CombiningCounters;
import io.treecast.collectives.operation.contract.CombiningEffects;
import io.treecast.collectives.operation.contract.CombiningMessage;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs the collective operations of an agent along the committed tree, on the data streams of its
 * edges.
 */
public final class Collectives implements TreeService {
  private final Combining combining;

  /**
   * Creates the service without operations.
   *
   * @param effects receives the outcomes of calls
   * @param send sends a message to a neighbour
   * @param violation handles a protocol violation of a neighbour, with the reason
   * @param isOver whether this member will call no further operations of a view
   */
  public Collectives(
      CoreConfig config,
      AgentEffects effects,
      BiConsumer<NodeId, ServiceMessage> send,
      BiConsumer<NodeId, String> violation,
      Predicate<GroupView.Id> isOver) {
    combining =
        new Combining(
            config.self(), config.collectives(), new Effects(effects, send, violation, isOver));
  }

  @Override
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    combining.treeCommitted(tree, nowNanos);
  }

  /** Sets the order of the ring that uploads use; null without a ring. */
  public void ring(@Nullable List<NodeId> order, long nowNanos) {
    combining.chain(order, nowNanos);
  }

  @Override
  public void streamOpened(NodeId neighbour, long nowNanos) {
    combining.opened(neighbour, nowNanos);
  }

  @Override
  public void streamClosed(NodeId neighbour) {
    combining.closed(neighbour);
  }

  @Override
  public boolean received(NodeId neighbour, ServiceMessage message, long nowNanos) {
    if (message instanceof Collective collective) {
      combining.received(neighbour, collective.message(), nowNanos);
      return true;
    }
    return false;
  }

  /**
   * Begins a local application's part in an operation.
   *
   * @param call a number that no other call of this agent has
   */
  public void takePart(long call, Participation participation, long nowNanos) {
    combining.takePart(
        call,
        participation.token(),
        participation.operation(),
        participation.contribution(),
        nowNanos + participation.waitNanos(),
        nowNanos);
  }

  /** Withdraws a call whose caller no longer waits. */
  public void withdraw(long call, long nowNanos) {
    combining.withdraw(call, nowNanos);
  }

  /** Ends operations of views that are no longer current at this member. */
  public void viewsChanged(long nowNanos) {
    combining.viewsChanged(nowNanos);
  }

  @Override
  public long nextDeadlineNanos() {
    return combining.nextDeadlineNanos();
  }

  @Override
  public void tick(long nowNanos) {
    combining.tick(nowNanos);
  }

  public CombiningCounters counters() {
    return combining.counters();
  }

  private record Effects(
      AgentEffects effects,
      BiConsumer<NodeId, ServiceMessage> send,
      BiConsumer<NodeId, String> violation,
      Predicate<GroupView.Id> over)
      implements CombiningEffects {
    @Override
    public void send(NodeId neighbour, CombiningMessage message) {
      send.accept(neighbour, new Collective(message));
    }

    @Override
    public void ended(long call, Outcome outcome) {
      effects.collectiveEnded(call, outcome);
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      violation.accept(neighbour, reason);
    }

    @Override
    public boolean isOver(GroupView.Id view) {
      return over.test(view);
    }
  }
}
