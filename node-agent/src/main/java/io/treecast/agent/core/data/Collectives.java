package io.treecast.agent.core.data;

import io.treecast.agent.core.contract.AgentEffects;
import io.treecast.agent.core.settings.CoreConfig;
import io.treecast.collectives.operation.Combining;
import io.treecast.collectives.operation.CombiningCounters;
import io.treecast.collectives.operation.CombiningEffects;
import io.treecast.collectives.operation.CombiningMessage;
import io.treecast.collectives.operation.Outcome;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;
import java.util.function.BiConsumer;

/**
 * An agent's part in collective operations: it goes by the committed tree, on the data streams of
 * its edges.
 */
public final class Collectives {
  private final Combining combining;

  /**
   * None yet.
   *
   * @param effects told of calls that have ended
   * @param send to a neighbour
   * @param violation what a neighbour said broke a rule, for the reason that is given
   */
  public Collectives(
      CoreConfig config,
      AgentEffects effects,
      BiConsumer<NodeId, CombiningMessage> send,
      BiConsumer<NodeId, String> violation) {
    combining =
        new Combining(config.self(), config.collectives(), new Effects(effects, send, violation));
  }

  /** This agent has committed a tree. */
  public void treeCommitted(CommittedTree tree, long nowNanos) {
    combining.treeCommitted(tree, nowNanos);
  }

  /** The data stream to a neighbour is up. */
  void streamOpened(NodeId neighbour, long nowNanos) {
    combining.opened(neighbour, nowNanos);
  }

  /** The data stream to a neighbour is down. */
  void streamClosed(NodeId neighbour) {
    combining.closed(neighbour);
  }

  void received(NodeId neighbour, CombiningMessage message, long nowNanos) {
    combining.received(neighbour, message, nowNanos);
  }

  /**
   * A local application takes part.
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

  /** Nobody waits for the outcome of a call any more. */
  public void withdraw(long call, long nowNanos) {
    combining.withdraw(call, nowNanos);
  }

  long nextDeadlineNanos() {
    return combining.nextDeadlineNanos();
  }

  /** Time has passed. */
  void tick(long nowNanos) {
    combining.tick(nowNanos);
  }

  public CombiningCounters counters() {
    return combining.counters();
  }

  private record Effects(
      AgentEffects effects,
      BiConsumer<NodeId, CombiningMessage> send,
      BiConsumer<NodeId, String> violation)
      implements CombiningEffects {
    @Override
    public void send(NodeId neighbour, CombiningMessage message) {
      send.accept(neighbour, message);
    }

    @Override
    public void ended(long call, Outcome outcome) {
      effects.collectiveEnded(call, outcome);
    }

    @Override
    public void violated(NodeId neighbour, String reason) {
      violation.accept(neighbour, reason);
    }
  }
}
