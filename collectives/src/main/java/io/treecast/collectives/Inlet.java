package io.treecast.collectives;

/** Where items come into a relay, and where their bytes are given back. Relay's thread. */
@FunctionalInterface
interface Inlet {
  /** Items of that cost wait no longer. */
  void release(long bytes);
}
