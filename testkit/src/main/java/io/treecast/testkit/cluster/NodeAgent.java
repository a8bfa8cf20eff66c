package io.treecast.testkit.cluster;

/** One life of a node's agent, as what befalls its node reaches it. */
public interface NodeAgent {
  /** Returns the incarnation that it belongs to. */
  Life life();

  /** Returns whether it is frozen. */
  boolean isPaused();

  /** It freezes: it neither hears nor says anything, and its connections stay open. */
  void pause();

  /** It goes on where it stopped. */
  void resume();

  /** It is gone without a word. */
  void crash();

  /** It says goodbye and stops. */
  void leave();
}
