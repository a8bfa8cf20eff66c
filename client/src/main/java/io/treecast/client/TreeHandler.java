package io.treecast.client;

/**
 * Receives the tree, and then each change of it, one at a time. The rules of {@link MessageHandler}
 * about slow and failing handlers apply here, too.
 */
@FunctionalInterface
public interface TreeHandler extends ConnectionListener {

  /**
   * Handles the present tree of the agent.
   *
   * @param tree the tree, or the reason why there is none
   */
  void onTree(TreeView tree);
}
