package io.treecast.collectives;

/**
 * A chunk in the relay, shared by the outlets that have yet to send it. When the last of them has,
 * its bytes go back to its inlet. Relay's thread.
 */
final class WaitingChunk {
  private final Chunk chunk;
  private final Inlet inlet;

  /** One for each outlet, and one for the relay until the chunk is on all of them. */
  private int holders = 1;

  WaitingChunk(Chunk chunk, Inlet inlet) {
    this.chunk = chunk;
    this.inlet = inlet;
  }

  Chunk chunk() {
    return chunk;
  }

  void hold() {
    holders++;
  }

  void letGo() {
    if (--holders == 0) {
      inlet.release(chunk.cost());
    }
  }
}
