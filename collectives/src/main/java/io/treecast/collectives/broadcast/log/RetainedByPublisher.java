package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The room that each publisher takes in a log, in bytes that no outlet holds, with the streams that
 * take it. Updated with each entry, because a full log reads it for each arrival.
 */
final class RetainedByPublisher {
  private static final class Share {
    final StreamId publisher;
    final TreeMap<StreamId, StreamLog> streams = new TreeMap<>();
    long bytes;

    Share(StreamId publisher) {
      this.publisher = publisher;
    }

    long bytes() {
      return bytes;
    }
  }

  private final Map<StreamId, Share> shares = new HashMap<>();
  private final TreeSet<Share> bySize =
      new TreeSet<>(Comparator.comparingLong(Share::bytes).thenComparing(share -> share.publisher));

  /** Adds to the bytes of the stream; negative to subtract. */
  void add(StreamLog stream, long bytes) {
    boolean isKnown = stream.retainedBytes() > 0;
    stream.addRetained(bytes);
    Share share = shares.computeIfAbsent(stream.publisher(), Share::new);
    if (isKnown && stream.retainedBytes() > 0 && bySize.size() == 1) {
      share.bytes += bytes; // The usual case, in which no order changes.
      return;
    }
    bySize.remove(share);
    share.bytes += bytes;
    if (stream.retainedBytes() > 0) {
      share.streams.put(stream.id(), stream);
    } else {
      share.streams.remove(stream.id());
    }
    if (share.streams.isEmpty()) {
      shares.remove(share.publisher);
    } else {
      bySize.add(share);
    }
  }

  /** Returns the bytes of the publisher that takes the most. */
  long mostBytes() {
    return bySize.isEmpty() ? 0 : bySize.last().bytes;
  }

  /** Returns the stream of that publisher whose entry was published first. */
  StreamLog publishedFirst() {
    return bySize.last().streams.values().stream()
        .min(Comparator.comparingLong(RetainedByPublisher::oldestPublishedBytes))
        .orElseThrow();
  }

  private static long oldestPublishedBytes(StreamLog stream) {
    return Objects.requireNonNull(stream.oldest()).item().publishedBytes();
  }
}
