package io.treecast.agent.core.contract;

import io.treecast.agent.core.AgentCore;
import io.treecast.collectives.broadcast.contract.ApplicationEffects;
import io.treecast.collectives.group.GroupList;
import io.treecast.collectives.group.GroupView;
import io.treecast.collectives.operation.Outcome;
import io.treecast.collectives.values.MapName;
import io.treecast.ghs.NodeId;
import io.treecast.monitor.series.SeriesResource;

/**
 * The effects of an agent besides messages to other agents. Called inside the event that causes
 * them; must not call back.
 */
public interface AgentEffects extends ApplicationEffects {
  /**
   * Reports the end of a local application's call to take part in a collective operation. Called
   * once, unless the call is {@linkplain AgentCore#withdraw withdrawn}.
   */
  void collectiveEnded(long call, Outcome outcome);

  /** Reports a view of a group that a local application has joined or watches. */
  default void groupChanged(GroupView view) {}

  /** Answers a local application's question for all groups. */
  default void groupsListed(long question, GroupList groups) {}

  /**
   * Reports a measurement of the link to a neighbour.
   *
   * @param value in the unit of the resource
   */
  void measured(NodeId neighbour, SeriesResource resource, long value);

  /** Reports a tree that this agent has committed. */
  void treeChanged(TreeChange change);

  /** Returns the time of this machine, in nanoseconds since 1970. It may step. */
  long unixNanos();

  /** Reports that a shared value has changed, was deleted or ended. */
  default void valueChanged(MapName map, String key) {}

  /** Reports an event for an operator's log. */
  void noticed(Notice notice);
}
