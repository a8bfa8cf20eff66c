package io.treecast.collectives.broadcast.publish;

import io.treecast.collectives.broadcast.log.OldestPublished;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.stream.Streams;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The bytes that this member has published since the oldest item that a member may lack: the used
 * part of its share of the logs.
 *
 * <p>It is a window over everything published here, in the order of publication, as in TCP: items
 * after the first one that a member lacks count even if no member lacks them. So any chunk shows a
 * log that no member lacks any content that the origin published more than a share before it, on
 * any topic ({@link ReplicationLog}).
 *
 * <p>Messages and uploads that wait for room take turns, because messages may use more of the
 * share: without turns, an upload might never find room.
 */
public final class PublicationWindow {
  private final Streams streams;

  /** Items that a member of the committed tree may lack. */
  private final OldestPublished messages = new OldestPublished(StreamLog::oldestUnstable);

  private final OldestPublished uploads = new OldestPublished(StreamLog::oldestUnstable);

  /** Items that an absent member may lack, too. */
  private final OldestPublished uploadsWhileAway = new OldestPublished(StreamLog::oldestUnsettled);

  private long publishedBytes;
  private long loanBytes;
  private boolean uploadsWait;
  private long messageBytesSinceUpload;

  public PublicationWindow(Streams streams) {
    this.streams = streams;
  }

  /**
   * Notes that a tree was committed: content that was stable before is not known to be stable in
   * it.
   */
  void treeCommitted() {
    Map<Boolean, List<StreamLog>> own =
        streams.own().stream().collect(Collectors.partitioningBy(s -> s.id().isOfUploads()));
    messages.recount(own.getOrDefault(false, List.of()));
    uploads.recount(own.getOrDefault(true, List.of()));
  }

  /** Counts the next chunk of a message; returns the cost of everything before it. */
  long publishMessage(StreamLog own, long cost) {
    messages.publishes(own, publishedBytes);
    messageBytesSinceUpload += cost;
    return publish(cost);
  }

  /** Counts the next chunk of an upload; returns the cost of everything before it. */
  long publishUpload(StreamLog own, long cost) {
    uploads.publishes(own, publishedBytes);
    uploadsWhileAway.publishes(own, publishedBytes);
    messageBytesSinceUpload = 0;
    return publish(cost);
  }

  private long publish(long cost) {
    long before = publishedBytes;
    publishedBytes += cost;
    return before;
  }

  /**
   * Returns the bytes published from the oldest item that a member of the committed tree may lack.
   */
  long usedBytes() {
    return since(uploads);
  }

  /** Returns {@link #usedBytes}, where uploads count as long as an absent member may lack them. */
  long usedBytesWhileAway() {
    return since(uploadsWhileAway);
  }

  /** Returns whether a member of the committed tree may lack any of an upload. */
  boolean isUsedByUploads() {
    return uploads.publishedBefore(publishedBytes) < publishedBytes;
  }

  /** Sets the bytes that uploads may use, or still use, beyond their share. */
  void loan(long bytes) {
    loanBytes = bytes;
  }

  /** Returns the bytes that messages may use beyond their share, as uploads do beyond theirs. */
  long loanBytes() {
    return loanBytes;
  }

  /** Sets whether uploads wait only for the part of the share that messages use. */
  void uploadsWait(boolean wait) {
    uploadsWait = wait;
  }

  /** Returns whether messages must let uploads go first, after they have used the given bytes. */
  boolean isTurnOfUploads(long turnBytes) {
    return uploadsWait && messageBytesSinceUpload >= turnBytes;
  }

  private long since(OldestPublished ofUploads) {
    long ofMessages = messages.publishedBefore(publishedBytes);
    return publishedBytes - Math.min(ofMessages, ofUploads.publishedBefore(publishedBytes));
  }
}
