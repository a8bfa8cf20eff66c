package io.treecast.collectives;

import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stream that gives way when there is no room for another: the one that was silent for
 * longest, of the orphans of which nothing is held and those that nobody needs. Relay's thread.
 *
 * <p>All streams are looked at for that. When there is no such one, they are not looked at again
 * before there may be, however many items come for which there is no room.
 */
final class LongestSilentStream {
  private final Supplier<Collection<StreamLog>> streams;
  private final Predicate<StreamLog> isDispensable;
  private final LongSupplier releasedOfOrphans;
  private boolean none;
  private long releasedBefore;

  /**
   * Of these streams.
   *
   * @param isDispensable whether nobody needs a stream that is no orphan
   * @param releasedOfOrphans counts the entries of orphans that were let go
   */
  LongestSilentStream(
      Supplier<Collection<StreamLog>> streams,
      Predicate<StreamLog> isDispensable,
      LongSupplier releasedOfOrphans) {
    this.streams = streams;
    this.isDispensable = isDispensable;
    this.releasedOfOrphans = releasedOfOrphans;
  }

  /** There is another orphan, or others may be needed than before. */
  void mayBeFound() {
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
      if ((stream.isOrphaned() ? !stream.isHeld() : isDispensable.test(stream))
          && (found == null || stream.lastNumber() < found.lastNumber())) {
        found = stream;
      }
    }
    none = found == null;
    releasedBefore = released;
    return found;
  }
}
