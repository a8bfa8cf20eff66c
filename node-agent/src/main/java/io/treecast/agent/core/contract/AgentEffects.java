package io.treecast.agent.core.contract;

import io.treecast.agent.core.AgentCore;
import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.contract.Outcome;
import io.treecast.collectives.values.MapName;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;

/**
 * The effects of an agent besides messages to other agents. Methods are called during the event
 * that causes the effect, and must not call the agent.
 */
public interface AgentEffects extends ApplicationEffects {
  /**
   * Reports the outcome of a local application's part in a collective operation. Called once for
   * each call, unless the call is {@linkplain AgentCore#withdraw withdrawn}.
   */
  void collectiveEnded(long call, Outcome outcome);

  /** Reports a view of a group that a local application has joined or watches. */
  default void groupChanged(GroupView view) {}

  /** Answers a local application's request for the list of groups. */
  default void groupsListed(long question, GroupList groups) {}

  /**
   * Reports a measurement of the link to a neighbour.
   *
   * @param value the measured value, in the unit of the resource
   */
  void measured(NodeId neighbour, SeriesResource resource, long value);

  /** Reports a tree that this agent has committed. */
  void treeChanged(TreeChange change);

  /** Returns the wall-clock time of this machine, in nanoseconds since 1970. It may step. */
  long unixNanos();

  /** Reports that a shared value was changed or deleted, or that an ephemeral entry ended. */
  default void valueChanged(MapName map, String key) {}

  /** Reports an event for an operator's log. */
  void noticed(Notice notice);
}
