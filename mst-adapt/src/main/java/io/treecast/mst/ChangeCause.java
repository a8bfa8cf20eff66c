package io.treecast.mst;

import java.util.Locale;

/** What a member noticed that led to a new committed tree. One commit can have several. */
public enum ChangeCause {
  /** A member has started: it is the first tree, or somebody joined or came back. */
  MEMBER_STARTED,
  /** A link that was an edge of the tree is down: it failed, or the node behind it did. */
  TREE_LINK_LOST,
  /** An edge of the tree became heavier than its committed weight. */
  TREE_EDGE_WORSENED,
  /** A link is lighter than the heaviest edge between its ends in the committed tree. */
  LIGHTER_LINK,
  /** A link leads to a node outside the committed tree. */
  LINK_TO_NON_MEMBER;

  /** The name that metrics, reports and documentation use, for example {@code tree-link-lost}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
