package io.treecast.collectives;

import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stream that gives way when there is no room for another: the orphan that was silent for
 * longest, of those of which nothing is held. Relay's thread.
 *
 * <p>All streams are looked at for that. When there is no such one, they are not looked at again
 * before there may be, however many items come for which there is no room.
 */
final class LongestSilentOrphan {
  private final Supplier<Collection<StreamLog>> streams;
  private final LongSupplier releasedOfOrphans;
  private boolean none;
  private long releasedBefore;

  /**
   * Of these streams.
   *
   * @param releasedOfOrphans counts the entries of orphans that were let go
   */
  LongestSilentOrphan(Supplier<Collection<StreamLog>> streams, LongSupplier releasedOfOrphans) {
    this.streams = streams;
    this.releasedOfOrphans = releasedOfOrphans;
  }

  /** There is another orphan. */
  void orphaned() {
    none = false;
  }

  /** The one that gives way; null if none can. */
  @Nullable StreamLog find() {
    long released = releasedOfOrphans.getAsLong();
    if (none && released == releasedBefore) {
      return null;
    }
    StreamLog found = null;
    for (StreamLog stream : streams.get()) {
      if (stream.isOrphaned()
          && !stream.isHeld()
          && (found == null || stream.lastNumber() < found.lastNumber())) {
        found = stream;
      }
    }
    none = found == null;
    releasedBefore = released;
    return found;
  }
}
