package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Messages that may never be complete: those in progress in a stream whose origin is no member of
 * the committed tree, or has restarted. Another member may have more of them; when nothing has come
 * for {@link #PATIENCE_NANOS}, they are given up.
 *
 * <p>Time is only learnt by {@link #tick}: what is noted between two ticks, the later one stamps.
 */
public final class Orphans {
  /** How long a neighbour that has more may keep silent about it. */
  public static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final long UNSTAMPED = Long.MIN_VALUE;

  private final Consumer<StreamLog> giveUp;

  /** By the streams' order, when their message in progress is given up. */
  private final Map<StreamId, Long> deadlines = new TreeMap<>();

  private final ReplicationLog log;

  public Orphans(ReplicationLog log, Consumer<StreamLog> giveUp) {
    this.log = log;
    this.giveUp = giveUp;
  }

  /** It was found out whether the stream's origin is gone, or its content has grown. */
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
        // Before it is removed: a tree map may then use the entry for another key.
        StreamLog stream = log.find(next.getKey());
        all.remove();
        if (stream != null) {
          stream.markGivenUp();
          giveUp.accept(stream);
        }
      }
    }
  }

  /** When {@link #tick} is due at the latest; what is not stamped yet does not count. */
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
