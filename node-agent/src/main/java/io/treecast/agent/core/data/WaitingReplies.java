package io.treecast.agent.core.data;

import io.treecast.agent.core.link.Link;
import io.treecast.collectives.broadcast.message.EdgeMessage;
import io.treecast.collectives.broadcast.message.EdgeMessage.Data;
import io.treecast.collectives.broadcast.message.Topic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Replies to requests with several receivers that wait for others before they cross a long link, so
 * that they share a gRPC message. A reply waits for a small part of the link's round trip. Every
 * later message to the same neighbour, and a reply that exceeds {@link #MOST_BYTES} with those that
 * wait, ends the wait, so the order of messages is that of sending and memory is bounded.
 */
final class WaitingReplies {
  /** A reply waits for the round trip divided by this. */
  static final int PARTS_OF_ROUND_TRIP = 8;

  /** The longest wait. */
  static final long MOST_NANOS = 25_000_000;

  /** Shorter waits do not pay off: replies leave at once. */
  static final long LEAST_NANOS = 1_000_000;

  /** The most bytes that wait on a link. */
  static final long MOST_BYTES = 16 << 10;

  /** Sends messages to a neighbour. */
  interface Sender {
    void send(Link link, EdgeMessage message, long nowNanos);
  }

  private static final class Batch {
    final long dueNanos;
    final List<EdgeMessage> replies = new ArrayList<>();
    long bytes;

    Batch(long dueNanos) {
      this.dueNanos = dueNanos;
    }
  }

  private final LinkedHashMap<Link, Batch> batches = new LinkedHashMap<>();
  private final Sender sender;

  WaitingReplies(Sender sender) {
    this.sender = sender;
  }

  /** Sends a message behind the replies that wait, or lets it wait with them. */
  void send(Link link, EdgeMessage message, long nowNanos) {
    long waitNanos = waitNanos(link, message);
    if (waitNanos > 0 && message instanceof Data data) {
      Batch batch = batches.computeIfAbsent(link, first -> new Batch(nowNanos + waitNanos));
      batch.replies.add(message);
      batch.bytes += data.item().cost();
      if (batch.bytes > MOST_BYTES) {
        release(link, nowNanos);
      }
    } else {
      release(link, nowNanos);
      sender.send(link, message, nowNanos);
    }
  }

  private static long waitNanos(Link link, EdgeMessage message) {
    if (!(message instanceof Data data) || !Topic.isOfSharedReplies(data.item().stream().topic())) {
      return 0;
    }
    long nanos = TimeUnit.MICROSECONDS.toNanos(link.rttMicros()) / PARTS_OF_ROUND_TRIP;
    return nanos < LEAST_NANOS ? 0 : Math.min(nanos, MOST_NANOS);
  }

  /** Sends the replies that wait on a link. */
  void release(Link link, long nowNanos) {
    Batch batch = batches.remove(link);
    if (batch != null) {
      batch.replies.forEach(reply -> sender.send(link, reply, nowNanos));
    }
  }

  /** Drops the replies that wait on a link, whose data stream has ended. */
  void drop(Link link) {
    batches.remove(link);
  }

  void tick(long nowNanos) {
    if (nextDeadlineNanos() <= nowNanos) {
      batches.keySet().stream()
          .filter(link -> isDue(link, nowNanos))
          .toList()
          .forEach(link -> release(link, nowNanos));
    }
  }

  private boolean isDue(Link link, long nowNanos) {
    Batch batch = batches.get(link);
    return batch != null && batch.dueNanos <= nowNanos;
  }

  long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (Batch batch : batches.values()) {
      next = Math.min(next, batch.dueNanos);
    }
    return next;
  }
}
