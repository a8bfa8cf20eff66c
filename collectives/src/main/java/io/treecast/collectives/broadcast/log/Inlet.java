package io.treecast.collectives.broadcast.log;

/** Where items come into a relay, and where their bytes are given back. */
@FunctionalInterface
public interface Inlet {
  /** Items of that cost wait no longer. */
  void release(long bytes);
}
