package io.treecast.collectives.broadcast.log;

/** The entry point of items into a relay, to which their bytes are returned. */
@FunctionalInterface
public interface Inlet {
  /** Returns the cost of items that no longer wait. */
  void release(long bytes);
}
