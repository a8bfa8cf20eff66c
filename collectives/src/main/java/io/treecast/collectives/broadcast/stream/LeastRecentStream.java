package io.treecast.collectives.broadcast.stream;

import io.treecast.collectives.broadcast.log.StreamLog;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stream that gives way when there is no room for another: the one that has been silent
 * for longest among the orphans of which nothing is held and the streams that are not needed, if no
 * content of it is awaited.
 *
 * <p>A search visits all streams. If it fails, it is not repeated before it may succeed, however
 * many items arrive for which there is no room.
 */
final class LeastRecentStream {
  private final Supplier<Collection<StreamLog>> streams;
  private final Predicate<StreamLog> isDispensable;
  private final Predicate<StreamLog> mayGo;
  private final LongSupplier orphanAdvances;
  private boolean none;
  private long passedBefore;

  /**
   * Creates a search over the given streams.
   *
   * @param isDispensable whether a stream that is not an orphan is not needed
   * @param mayGo whether no content of a stream is awaited
   * @param orphanAdvances changes whenever an orphan may have become dispensable
   */
  LeastRecentStream(
      Supplier<Collection<StreamLog>> streams,
      Predicate<StreamLog> isDispensable,
      Predicate<StreamLog> mayGo,
      LongSupplier orphanAdvances) {
    this.streams = streams;
    this.isDispensable = isDispensable;
    this.mayGo = mayGo;
    this.orphanAdvances = orphanAdvances;
  }

  /**
   * Notes that a search may succeed: there is another orphan, or the need for streams has changed.
   */
  void searchAgain() {
    none = false;
  }

  /** Returns the stream that gives way; null if none can. */
  @Nullable StreamLog find() {
    long passed = orphanAdvances.getAsLong();
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
