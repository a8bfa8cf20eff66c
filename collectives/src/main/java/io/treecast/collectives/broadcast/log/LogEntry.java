package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.LogItem;
import io.treecast.collectives.broadcast.publish.PublicationWindow;
import org.jspecify.annotations.Nullable;

/**
 * An item in a log, shared by the outlets that have yet to pass it on. While any of them holds it,
 * it counts for the inlet by which it came; then for the log, until that evicts it.
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

  /** One for each outlet that holds it, and one until it has been offered to all of them. */
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

  /** Counts what was logged here, of all streams. */
  public long number() {
    return number;
  }

  public LogItem item() {
    return item;
  }

  /**
   * What it takes of its publisher's {@linkplain PublicationWindow window}, with what was published
   * since what is here from before.
   */
  long windowBytes() {
    return windowBytes;
  }

  /** The next one in the log. */
  @Nullable
  public LogEntry later() {
    return later;
  }

  /** The next one in its stream. */
  @Nullable
  public LogEntry laterOfStream() {
    return laterOfStream;
  }

  void followInStream(LogEntry next) {
    laterOfStream = next;
  }

  /** Takes its place in the log, behind the newest that there is. */
  void follow(@Nullable LogEntry newest) {
    earlier = newest;
    if (newest != null) {
      newest.later = this;
    }
  }

  /**
   * Leaves its place in the log. What is dead must lead to nothing that lives: a collection of the
   * young takes the dead among the old for alive, and would copy all that was logged since.
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

  public void letGo() {
    if (holders == 0) {
      throw new IllegalStateException(item + " is let go, which nobody holds");
    }
    if (--holders == 0) {
      inlet.release(item.cost());
      log.released(this);
    }
  }

  /** Whether every member of the committed tree has it, as far as known here. */
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
