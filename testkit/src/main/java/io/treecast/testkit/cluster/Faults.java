package io.treecast.testkit.cluster;

/**
 * The faults that a test can inject into a running cluster, of agents in virtual time or of real
 * agents.
 *
 * <p>The methods throw {@link IllegalArgumentException} for an unknown node and {@link
 * IllegalStateException} for one whose state does not permit the fault, for example a crash of a
 * node that does not run.
 */
public interface Faults {
  /** Returns the faults of links. */
  LinkFaults links();

  /** Kills the agent: all its streams end at once, and its state is lost. */
  void crash(int node);

  /** Starts the agent of a node that does not run, in a new incarnation without state. */
  void restart(int node);

  /** Freezes the agent: it neither receives nor sends, and its connections stay open. */
  void pause(int node);

  /** Resumes a frozen agent. */
  void resume(int node);

  /**
   * Starts the agent of a new node. It has a link to each neighbour of another node, with the same
   * round trip, and a very short link to that node itself.
   *
   * @param node an unused node number
   * @param like the other node
   */
  void join(int node, int like);

  /** Stops the agent after it has announced its departure. */
  void leave(int node);
}
