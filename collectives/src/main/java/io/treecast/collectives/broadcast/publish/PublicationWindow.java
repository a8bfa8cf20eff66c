package io.treecast.collectives.broadcast.publish;

import io.treecast.collectives.broadcast.log.OldestPublished;
import io.treecast.collectives.broadcast.log.ReplicationLog;
import io.treecast.collectives.broadcast.log.StreamLog;
import io.treecast.collectives.broadcast.stream.Streams;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How much this member has published, and how much of that since the oldest that somebody may lack:
 * what its publishers use of their share of the logs.
 *
 * <p>It is a window over all that is published here, in the order of publication, as in TCP: what
 * follows something that is lacked counts, though nobody may lack that. So from any chunk each log
 * knows, without being told, that nobody lacks what its origin published more than a share before,
 * on whatever topic ({@link ReplicationLog}).
 *
 * <p>Messages that wait for room and uploads that do take turns, since messages may use more of the
 * share: otherwise an upload would never find any.
 */
public final class PublicationWindow {
  private final Streams streams;

  /** Of what a member of the committed tree may lack. */
  private final OldestPublished messages = new OldestPublished(StreamLog::oldestUnstable);

  private final OldestPublished uploads = new OldestPublished(StreamLog::oldestUnstable);

  /** Of what an absent member may lack, too. */
  private final OldestPublished uploadsWhileAway = new OldestPublished(StreamLog::oldestUnsettled);

  private long publishedBytes;
  private boolean uploadsWait;
  private long messageBytesSinceUpload;

  public PublicationWindow(Streams streams) {
    this.streams = streams;
  }

  /** A tree was committed: what was known to be with all members is not, in that. */
  void treeCommitted() {
    Map<Boolean, List<StreamLog>> own =
        streams.own().stream().collect(Collectors.partitioningBy(s -> s.id().isOfUploads()));
    messages.countAnew(own.getOrDefault(false, List.of()));
    uploads.countAnew(own.getOrDefault(true, List.of()));
  }

  /** Counts a chunk of a message that is logged next; gives the cost of all before. */
  long publishMessage(StreamLog own, long cost) {
    messages.publishes(own, publishedBytes);
    messageBytesSinceUpload += cost;
    return publish(cost);
  }

  /** The same for a chunk of an upload. */
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

  /** Published since the oldest that a member of the committed tree may lack, that included. */
  long usedBytes() {
    return since(uploads);
  }

  /** The same, where of uploads also counts what an absent member may lack. */
  long usedBytesWhileAway() {
    return since(uploadsWhileAway);
  }

  /** Whether a member of the committed tree may lack any of an upload. */
  boolean isUsedByUploads() {
    return uploads.publishedBefore(publishedBytes) < publishedBytes;
  }

  /** Whether uploads wait for nothing but what messages use of the share. */
  void uploadsWait(boolean wait) {
    uploadsWait = wait;
  }

  /** Whether messages that wait for room let uploads go first, having had so much. */
  boolean isTurnOfUploads(long turnBytes) {
    return uploadsWait && messageBytesSinceUpload >= turnBytes;
  }

  private long since(OldestPublished ofUploads) {
    long ofMessages = messages.publishedBefore(publishedBytes);
    return publishedBytes - Math.min(ofMessages, ofUploads.publishedBefore(publishedBytes));
  }
}
