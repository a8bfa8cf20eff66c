package io.treecast.collectives;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How much this member has published, and how much of that since the oldest that somebody may lack:
 * what its publishers use of their share of the logs. Relay's thread.
 *
 * <p>It is a window over all that is published here, in the order of publication, as in TCP: what
 * follows something that is lacked counts, though nobody may lack that. So from any chunk each log
 * knows, without being told, that nobody lacks what its origin published more than a share before,
 * on whatever topic ({@link ReplicationLog}).
 *
 * <p>Messages that wait for room and uploads that do take turns, since messages may use more of the
 * share: otherwise an upload would never find any.
 */
final class PublicationWindow {
  private final Streams streams;
  private long publishedBytes;
  private boolean uploadsWait;
  private long messageBytesSinceUpload;

  PublicationWindow(Streams streams) {
    this.streams = streams;
  }

  /** Counts a chunk of a message that is published now; gives the cost of all before. */
  long publishMessage(long cost) {
    messageBytesSinceUpload += cost;
    return publish(cost);
  }

  /** The same for a chunk of an upload. */
  long publishUpload(long cost) {
    messageBytesSinceUpload = 0;
    return publish(cost);
  }

  private long publish(long cost) {
    long before = publishedBytes;
    publishedBytes += cost;
    return before;
  }

  /** Published since the oldest that a member of the committed tree may lack, that included. */
  long usedBytes() {
    return since(StreamLog::oldestUnstable);
  }

  /** The same, where of uploads also counts what an absent member may lack. */
  long usedBytesWhileAway() {
    return since(
        stream -> stream.id().isOfUploads() ? stream.oldestUnsettled() : stream.oldestUnstable());
  }

  /** Whether a member of the committed tree may lack any of an upload. */
  boolean isUsedByUploads() {
    return streams.own().stream()
        .anyMatch(stream -> stream.id().isOfUploads() && stream.oldestUnstable() != null);
  }

  /** Whether uploads wait for nothing but what messages use of the share. */
  void uploadsWait(boolean wait) {
    uploadsWait = wait;
  }

  /** Whether messages that wait for room let uploads go first, having had so much. */
  boolean isTurnOfUploads(long turnBytes) {
    return uploadsWait && messageBytesSinceUpload >= turnBytes;
  }

  private long since(Function<StreamLog, @Nullable LogEntry> oldest) {
    long from = publishedBytes;
    for (StreamLog stream : streams.own()) {
      LogEntry entry = oldest.apply(stream);
      from = entry == null ? from : Math.min(from, entry.item().publishedBytes());
    }
    return publishedBytes - from;
  }
}
