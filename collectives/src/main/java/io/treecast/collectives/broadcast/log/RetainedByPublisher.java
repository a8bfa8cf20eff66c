package io.treecast.collectives.broadcast.log;

import io.treecast.collectives.broadcast.message.StreamId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How much each publisher takes of a log's room, in bytes that nobody holds, with the streams that
 * take it. Kept up to date entry by entry: a full log asks for each that comes.
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

  /** The stream takes so much more, or less if that is negative. */
  void add(StreamLog stream, long bytes) {
    stream.addRetained(bytes);
    Share share = shares.computeIfAbsent(stream.publisher(), Share::new);
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

  /** What the publisher takes that takes the most. */
  long mostBytes() {
    return bySize.isEmpty() ? 0 : bySize.last().bytes;
  }

  /** The stream of that publisher with the entry that was published first. */
  StreamLog publishedFirst() {
    return bySize.last().streams.values().stream()
        .min(Comparator.comparingLong(RetainedByPublisher::oldestPublishedBytes))
        .orElseThrow();
  }

  private static long oldestPublishedBytes(StreamLog stream) {
    return Objects.requireNonNull(stream.oldest()).item().publishedBytes();
  }
}
