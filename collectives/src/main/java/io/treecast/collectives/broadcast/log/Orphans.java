package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The messages that may never be complete: those in progress in a stream whose origin is not a
 * member of the committed tree, or has restarted. Another member may have more of them. The wait
 * for the rest ends when nothing has arrived for {@link #PATIENCE_NANOS}.
 *
 * <p>Time advances only by {@link #tick}: changes between two ticks are stamped by the later one.
 */
public final class Orphans {
  /** The time that a neighbour with more of the content has to announce it. */
  public static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final long UNSTAMPED = Long.MIN_VALUE;

  private final Consumer<StreamLog> abandon;

  /**
   * The time at which the wait for the message in progress of each stream ends, in the order of the
   * streams.
   */
  private final Map<StreamId, Long> deadlines = new TreeMap<>();

  private final ReplicationLog log;

  public Orphans(ReplicationLog log, Consumer<StreamLog> abandon) {
    this.log = log;
    this.abandon = abandon;
  }

  /**
   * Notes that the origin of the stream may have left or returned, or that its content has grown.
   */
  public void changed(StreamLog stream) {
    if (stream.isOrphaned() && stream.next().insideMessage()) {
      deadlines.put(stream.id(), UNSTAMPED);
    } else {
      deadlines.remove(stream.id());
    }
  }

  public void forget(StreamLog stream) {
    deadlines.remove(stream.id());
  }

  public void tick(long nowNanos) {
    Iterator<Map.Entry<StreamId, Long>> all = deadlines.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<StreamId, Long> next = all.next();
      if (next.getValue() == UNSTAMPED) {
        next.setValue(nowNanos + PATIENCE_NANOS);
      } else if (next.getValue() <= nowNanos) {
        // Looked up before the removal, after which a tree map may reuse the entry for another key.
        StreamLog stream = log.find(next.getKey());
        all.remove();
        if (stream != null) {
          abandon.accept(stream);
        }
      }
    }
  }

  /** Returns the latest time for the next {@link #tick}; changes without a stamp do not count. */
  public long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (long nanos : deadlines.values()) {
      if (nanos != UNSTAMPED) {
        next = Math.min(next, nanos);
      }
    }
    return next;
  }
}
