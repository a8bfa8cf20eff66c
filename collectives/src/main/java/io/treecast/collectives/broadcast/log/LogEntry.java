package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.publish.PublicationWindow;
import org.jspecify.annotations.Nullable;

/**
 * An item in a log, shared by the outlets that have yet to pass it on. While an outlet holds it, it
 * counts for the inlet by which it arrived; then for the log, until it is evicted.
 */
public final class LogEntry {
  private final ReplicationLog log;
  private final StreamLog stream;
  private final long number;
  private final LogItem item;
  private final Inlet inlet;
  private final long windowBytes;
  private @Nullable LogEntry earlier;
  private @Nullable LogEntry later;
  private @Nullable LogEntry laterOfStream;
  private boolean evicted;
  private boolean stable;

  /** The number of outlets that hold the entry, plus one until it was offered to all of them. */
  private int holders = 1;

  LogEntry(
      ReplicationLog log,
      StreamLog stream,
      long number,
      LogItem item,
      Inlet inlet,
      long windowBytes) {
    this.log = log;
    this.stream = stream;
    this.number = number;
    this.item = item;
    this.inlet = inlet;
    this.windowBytes = windowBytes;
  }

  public StreamLog stream() {
    return stream;
  }

  /** Returns the entry's number among all that were logged here, over all streams. */
  public long number() {
    return number;
  }

  public LogItem item() {
    return item;
  }

  /**
   * Returns the bytes that the entry takes of its publisher's {@linkplain PublicationWindow
   * window}, including those published since the previous entry that is here.
   */
  long windowBytes() {
    return windowBytes;
  }

  /** Returns the next entry of the log. */
  @Nullable
  public LogEntry later() {
    return later;
  }

  /** Returns the next entry of the stream. */
  @Nullable
  public LogEntry laterOfStream() {
    return laterOfStream;
  }

  void followInStream(LogEntry next) {
    laterOfStream = next;
  }

  /** Links the entry behind the newest entry of the log. */
  void follow(@Nullable LogEntry newest) {
    earlier = newest;
    if (newest != null) {
      newest.later = this;
    }
  }

  /**
   * Unlinks the entry from the log. A dead entry must not refer to a live one: a young collection
   * treats dead old objects as alive, and would copy everything that was logged since.
   */
  void unlink() {
    if (earlier != null) {
      earlier.later = later;
    }
    if (later != null) {
      later.earlier = earlier;
    }
    earlier = null;
    later = null;
    laterOfStream = null;
  }

  @Nullable
  public LogEntry earlier() {
    return earlier;
  }

  boolean isHeld() {
    return holders > 0;
  }

  public void hold() {
    holders++;
  }

  public void release() {
    if (holders == 0) {
      throw new IllegalStateException(item + " is released, but not held");
    }
    if (--holders == 0) {
      inlet.release(item.cost());
      log.released(this);
    }
  }

  /** Returns whether every member of the committed tree is known to have the entry. */
  boolean isStable() {
    return stable;
  }

  void markStable(boolean isStable) {
    stable = isStable;
  }

  public boolean isEvicted() {
    return evicted;
  }

  void evict() {
    evicted = true;
  }
}
