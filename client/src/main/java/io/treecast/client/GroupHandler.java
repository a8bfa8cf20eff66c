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
   * @param joined the ids of the members that the last view did not have; at first all
   * @param left the ids of the members of the last view that this one does not have
   */
  void onView(GroupView view, Set<String> joined, Set<String> left);
}
