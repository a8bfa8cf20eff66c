package io.treecast.collectives.broadcast.edge;

import io.treecast.collectives.broadcast.message.Gap;
import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.message.MissedReason;
import io.treecast.collectives.broadcast.message.StreamId;

/** The other side of an {@link Outlet}: a neighbour or a local subscriber. */
public interface Exit {
  /** Whether the item is for the other side; if not, it is passed over. */
  boolean wants(LogItem item);

  /** Hands over an item that there was credit for. */
  void pass(LogItem item);

  /** Hands over a gap that there was credit for, of what the log had and this outlet lost. */
  void lose(Gap gap, MissedReason reason);

  /** The other side has the stream further than before, by whatever way. */
  void moved(StreamId stream);

  /** Whether the other side is a member, on which others may depend for what it misses. */
  boolean isMember();

  /** Everything was handed over that was there when the outlet opened. */
  void caughtUp();
}
