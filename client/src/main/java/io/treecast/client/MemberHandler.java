package io.treecast.client;

/**
 * Receives the members of the tree, one call at a time. A handler that throws ends its watch. A
 * slow handler gets several changes as one.
 */
public interface MemberHandler extends ConnectionListener {
  /** Handles a member that is present, has joined the tree, or is now selected. */
  void onJoined(Member member);

  /** Handles a member that has left the tree, or is no longer selected. */
  void onLeft(Member member);

  /** Handles a change of labels. Does nothing by default. */
  default void onChanged(Member before, Member after) {}

  /** Reports that all present members were handled. Does nothing by default. */
  default void onLive() {}
}
