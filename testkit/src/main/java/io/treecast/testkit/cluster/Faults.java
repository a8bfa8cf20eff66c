package io.treecast.testkit.cluster;

/**
 * The faults that a test can inject into a running cluster, of agents in virtual time or of real
 * agents.
 *
 * <p>The methods throw {@link IllegalArgumentException} for an unknown node and {@link
 * IllegalStateException} for one that the fault does not fit, for example a crash of a node that
 * does not run.
 */
public interface Faults {
  /** Faults of links. */
  LinkFaults links();

  /**
   * The agent is gone without a word, as if killed: all its streams end at once, and it keeps
   * nothing.
   */
  void crash(int node);

  /** The agent of a node that does not run starts, in a new incarnation that knows nothing. */
  void restart(int node);

  /** The agent freezes: it neither hears nor says anything, and its connections stay open. */
  void pause(int node);

  /** A frozen agent goes on where it stopped. */
  void resume(int node);

  /**
   * The agent of a new node starts. It has a link to each neighbour of another node, of the same
   * round trip, and a very short one to that node itself.
   *
   * @param node a number that no node has
   * @param like the other node
   */
  void join(int node, int like);

  /** The agent says goodbye and stops. */
  void leave(int node);
}
