package io.treecast.collectives.broadcast.log;

/** The entry point of items into a relay, to which their bytes are returned. */
@FunctionalInterface
public interface Inlet {
  /** Returns the given cost: the items wait no longer. */
  void release(long bytes);
}
