package io.treecast.client;

/**
 * Receives the tree as it is, and then after each change, one at a time. The rules of {@link
 * MessageHandler} about slow and failing handlers hold here too.
 */
@FunctionalInterface
public interface TreeHandler extends ConnectionListener {

  /**
   * The tree as the agent knows it now.
   *
   * @param tree the tree, or why there is none
   */
  void onTree(TreeView tree);
}
