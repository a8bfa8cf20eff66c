package io.treecast.monitor.weight;

/** The role of a link in the committed tree, as the link's owner sees it. */
public enum LinkRole {
  /** No committed tree holds both ends. */
  NONE,
  /** The link is an edge of the tree, which changes if the link becomes much heavier. */
  EDGE,
  /** Both ends are in the tree, which changes if the link becomes much lighter. */
  BESIDE;

  /** Returns whether such a change of the weight may change the tree. */
  public boolean isAffectedBy(long fromMicros, long toMicros) {
    return switch (this) {
      case NONE -> true;
      case EDGE -> toMicros > fromMicros;
      case BESIDE -> toMicros < fromMicros;
    };
  }
}
