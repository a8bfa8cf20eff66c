package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.StreamId;

/** The other side of an {@link Outlet}: a neighbour or a local subscriber. */
public interface Exit {
  /** Returns whether the item is for the other side; if not, it is skipped. */
  boolean accepts(LogItem item);

  /** Hands over an item, after credit was taken for it. */
  void pass(LogItem item);

  /**
   * Hands over a gap for content that the log had and this outlet lost, after credit was taken for
   * it.
   */
  void lose(Gap gap, MissedReason reason);

  /** Notes that the other side's position in the stream has advanced, by any route. */
  void moved(StreamId stream);

  /** Returns whether the other side is a member, whose gaps may affect others. */
  boolean isMember();

  /** Notes that everything that was here when the outlet opened has been handed over. */
  void caughtUp();
}
