package io.treecast.agent.core;

import io.treecast.collectives.Chunk;
import io.treecast.mst.TreeStatus;

/**
 * What an agent does besides talking to other agents. Called inside the event that causes it; must
 * not call back.
 */
public interface AgentEffects {
  /** Hands a chunk to a local subscriber, whose driver answers with {@link AgentCore#consumed}. */
  void deliver(long subscriber, Chunk chunk);

  /** The tree's phase changed. */
  void treeChanged(TreeStatus status);

  /** Something that an operator may want to read in a log. */
  void noticed(Notice notice);
}
