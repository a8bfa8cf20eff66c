package io.treecast.collectives;

/** Where chunks come into a relay, and where their bytes are given back. Relay's thread. */
interface Inlet {
  /** Chunks of that cost wait no longer. */
  void release(long bytes);

  /** Cost of the chunks that came in here and still wait. */
  long waitingBytes();
}
