package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.LogItem;

/** The credit in bytes that an outlet has to pass on more. */
public final class OutletCredit {
  private long bytes;
  private long takenBytes;

  public long bytes() {
    return bytes;
  }

  /** All credit that was ever taken. */
  long takenBytes() {
    return takenBytes;
  }

  void add(long moreBytes) {
    bytes += moreBytes;
  }

  /** What is being passed on takes no credit after all. */
  public void takeBack(long unusedBytes) {
    bytes += unusedBytes;
  }

  /** Takes the credit for the item, unless it is not wanted; false if there is too little. */
  boolean take(LogItem item, boolean wanted) {
    if (wanted && item.cost() > bytes) {
      return false;
    }
    bytes -= wanted ? item.cost() : 0;
    takenBytes += wanted ? item.cost() : 0;
    return true;
  }

  /** There is no credit any more. */
  void clear() {
    bytes = 0;
  }
}
