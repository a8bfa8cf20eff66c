package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.LogItem;

/** The credit, in bytes, of an outlet to pass on more items. */
public final class OutletCredit {
  private long bytes;
  private long takenBytes;

  public long bytes() {
    return bytes;
  }

  /** Returns the total of all credit ever taken. */
  long takenBytes() {
    return takenBytes;
  }

  void add(long moreBytes) {
    bytes += moreBytes;
  }

  /** Returns credit taken for an item that turned out not to need it. */
  public void reclaim(long unusedBytes) {
    bytes += unusedBytes;
  }

  /**
   * Takes the credit for the item, unless it is not wanted; returns false if there is too little.
   */
  boolean take(LogItem item, boolean wanted) {
    if (wanted && item.cost() > bytes) {
      return false;
    }
    bytes -= wanted ? item.cost() : 0;
    takenBytes += wanted ? item.cost() : 0;
    return true;
  }

  /** Drops all credit. */
  void clear() {
    bytes = 0;
  }
}
