package io.treecast.client;

/**
 * Receives the members of the tree, one call at a time. An exception from a handler ends its watch.
 * A slow handler receives several changes as one.
 */
public interface MemberHandler extends ConnectionListener {
  /**
   * Handles a member that is present at the start, has joined the tree, or now matches the
   * selector.
   */
  void onJoined(Member member);

  /** Handles a member that has left the tree, or no longer matches the selector. */
  void onLeft(Member member);

  /** Handles a change of labels. Does nothing by default. */
  default void onChanged(Member before, Member after) {}

  /** Reports that all present members were handled. Does nothing by default. */
  default void onLive() {}
}
