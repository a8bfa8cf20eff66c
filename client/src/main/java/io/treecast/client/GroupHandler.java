package io.treecast.client;

import java.util.Set;

/**
 * Receives the views of a group, one at a time. A slow handler skips to the latest. The rules of
 * {@link MessageHandler} about failing handlers apply here, too.
 */
@FunctionalInterface
public interface GroupHandler extends ConnectionListener {
  /**
   * Handles the latest view.
   *
   * @param view the view
   * @param joined the ids of the members that are new since the last view; all in the first one
   * @param left the ids of the members that have left since the last view
   */
  void onView(GroupView view, Set<String> joined, Set<String> left);
}
