package io.treecast.testkit.cluster;

/** One incarnation of a node's agent, to which the faults of the node are applied. */
public interface NodeAgent {
  /** Returns the incarnation of this agent. */
  Incarnation incarnation();

  /** Returns whether it is frozen. */
  boolean isPaused();

  /** Freezes the agent: it neither receives nor sends, and its connections stay open. */
  void pause();

  /** Resumes the frozen agent. */
  void resume();

  /** Kills the agent. */
  void crash();

  /** Stops the agent after it has announced its departure. */
  void leave();
}
