package io.treecast.collectives.broadcast.publish;

import io.treecast.collectives.broadcast.log.Inlet;

/** An inlet of local publishers: counts its waiting items against a limit. */
final class PublishBuffer implements Inlet {
  private final long capacityBytes;
  private long waitingBytes;

  PublishBuffer(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  boolean hasRoomFor(long bytes) {
    return bytes <= capacityBytes - waitingBytes;
  }

  void take(long bytes) {
    waitingBytes += bytes;
  }

  @Override
  public void release(long bytes) {
    waitingBytes -= bytes;
  }

  /** Returns the cost of the items that arrived here and still wait. */
  long waitingBytes() {
    return waitingBytes;
  }
}
