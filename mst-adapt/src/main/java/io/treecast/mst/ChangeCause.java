package io.treecast.mst;

import java.util.Locale;

/** A reason for a new committed tree, noticed by a member. One commit can have several causes. */
public enum ChangeCause {
  /** A member has started: this is the first tree, or a member joined or returned. */
  MEMBER_STARTED,
  /** The link of a tree edge is down: the link failed, or the node at its other end. */
  TREE_LINK_LOST,
  /** A tree edge became heavier than its committed weight. */
  TREE_EDGE_WORSENED,
  /** A link is lighter than the heaviest edge between its ends in the committed tree. */
  LIGHTER_LINK,
  /** A link leads to a node outside the committed tree. */
  LINK_TO_NON_MEMBER;

  /** The name in metrics, reports and documentation, for example {@code tree-link-lost}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
