package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stream that gives way when there is no room for another: the one that was silent for
 * longest, of the orphans of which nothing is held and those that nobody needs, if it may go.
 *
 * <p>All streams are looked at for that. When there is no such one, they are not looked at again
 * before there may be, however many items come for which there is no room.
 */
final class LongestSilentStream {
  private final Supplier<Collection<StreamLog>> streams;
  private final Predicate<StreamLog> isDispensable;
  private final Predicate<StreamLog> mayGo;
  private final LongSupplier passedOfOrphans;
  private boolean none;
  private long passedBefore;

  /**
   * Of these streams.
   *
   * @param isDispensable whether nobody needs a stream that is no orphan
   * @param mayGo whether nobody waits for any of a stream
   * @param passedOfOrphans has changed whenever an orphan may go that could not before
   */
  LongestSilentStream(
      Supplier<Collection<StreamLog>> streams,
      Predicate<StreamLog> isDispensable,
      Predicate<StreamLog> mayGo,
      LongSupplier passedOfOrphans) {
    this.streams = streams;
    this.isDispensable = isDispensable;
    this.mayGo = mayGo;
    this.passedOfOrphans = passedOfOrphans;
  }

  /** There is another orphan, or others may be needed than before. */
  void mayBeFound() {
    none = false;
  }

  /** The one that gives way; null if none can. */
  @Nullable StreamLog find() {
    long passed = passedOfOrphans.getAsLong();
    if (none && passed == passedBefore) {
      return null;
    }
    StreamLog found = null;
    for (StreamLog stream : streams.get()) {
      if ((found == null || stream.lastNumber() < found.lastNumber())
          && (stream.isOrphaned() ? !stream.isHeld() : isDispensable.test(stream))
          && mayGo.test(stream)) {
        found = stream;
      }
    }
    none = found == null;
    passedBefore = passed;
    return found;
  }
}
