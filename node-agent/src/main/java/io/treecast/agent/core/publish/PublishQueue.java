package io.treecast.agent.core.publish;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of local applications' requests that cannot be carried out yet. It is bounded by {@link
 * #MAX_WAITING} requests, and by their bytes.
 *
 * <p>A client's requests may fill at most as much of the queue, in number and in bytes, as they
 * leave free. Its first request is exempt. So one greedy client leaves half to the others, and
 * several greedy ones have equal shares.
 */
public final class PublishQueue {
  /** The maximum number of queued requests. */
  public static final int MAX_WAITING = 1_024;

  /** Carries out a request. */
  interface Sending {
    MessageId send(long nowNanos) throws BroadcastRefusedException;
  }

  /**
   * A queued request.
   *
   * @param client the client that sent it
   * @param bytes the size of its payload and headers
   * @param sinceNanos when it arrived
   * @param deadlineNanos the time until which it may wait
   * @param untilReplicated whether its outcome is reported only when other members have it
   */
  record Waiting(
      String client,
      int bytes,
      long sinceNanos,
      long deadlineNanos,
      Sending sending,
      boolean untilReplicated,
      PublishOutcome outcome) {
    Waiting until(long laterNanos) {
      return new Waiting(client, bytes, sinceNanos, laterNanos, sending, untilReplicated, outcome);
    }
  }

  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final ClientShares requests = new ClientShares(MAX_WAITING);
  private final ClientShares bytes;

  /** A time no later than the first deadline. */
  private long nextDeadlineNanos = Long.MAX_VALUE;

  private long waits;
  private long waitedNanos;

  PublishQueue(long maxBytes) {
    this.bytes = new ClientShares(maxBytes);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /** Returns the number of requests that have left the queue. */
  long waits() {
    return waits;
  }

  /** Returns their total time in the queue. */
  long waitedNanos() {
    return waitedNanos;
  }

  boolean hasPlaceFor(Waiting asked) {
    String client = asked.client();
    return isFree(asked)
        && (requests.of(client) == 0
            || (requests.leavesFairShare(client, 1)
                && bytes.leavesFairShare(client, asked.bytes())));
  }

  private boolean isFree(Waiting asked) {
    return requests.isFree(1) && bytes.isFree(asked.bytes());
  }

  /** Returns why there is no place for the request, with the setting, for people. */
  String fullReason(Waiting asked) {
    String full =
        "queue full: %s; the limits are %s broadcasts and limits.publishBufferBytes = %s bytes"
            .formatted(broadcasts(requests.all(), bytes.all()), MAX_WAITING, bytes.limit());
    String client = asked.client();
    return !isFree(asked)
        ? full
        : full
            + ", and a client may have no more than it leaves to the others; this client has "
            + broadcasts(requests.of(client), bytes.of(client));
  }

  private static String broadcasts(long count, long countBytes) {
    return count + (count == 1 ? " broadcast of " : " broadcasts of ") + countBytes + " bytes";
  }

  void add(Waiting asked) {
    waiting.add(asked);
    nextDeadlineNanos = Math.min(nextDeadlineNanos, asked.deadlineNanos());
    requests.add(asked.client(), 1);
    bytes.add(asked.client(), asked.bytes());
  }

  /**
   * Extends the deadline of the request with this outcome, if it is queued and its deadline is
   * earlier.
   */
  void waitUntil(long deadlineNanos, PublishOutcome outcome) {
    // Each request in turn moves to the end, which keeps the order.
    for (int left = waiting.size(); left > 0; left--) {
      Waiting next = waiting.remove();
      boolean isLonger = next.outcome() == outcome && next.deadlineNanos() < deadlineNanos;
      waiting.add(isLonger ? next.until(deadlineNanos) : next);
    }
  }

  /** Returns the first request; null if there is none. */
  @Nullable Waiting first() {
    return waiting.peek();
  }

  /** Removes the first request. */
  void removeFirst(long nowNanos) {
    removed(waiting.remove(), nowNanos);
  }

  /** Removes the requests that match, and returns them in order. */
  List<Waiting> take(Predicate<Waiting> which, long nowNanos) {
    List<Waiting> taken = new ArrayList<>();
    nextDeadlineNanos = Long.MAX_VALUE;
    for (Iterator<Waiting> each = waiting.iterator(); each.hasNext(); ) {
      Waiting next = each.next();
      if (which.test(next)) {
        each.remove();
        removed(next, nowNanos);
        taken.add(next);
      } else {
        nextDeadlineNanos = Math.min(nextDeadlineNanos, next.deadlineNanos());
      }
    }
    return taken;
  }

  private void removed(Waiting gone, long nowNanos) {
    requests.remove(gone.client(), 1);
    bytes.remove(gone.client(), gone.bytes());
    waits++;
    waitedNanos += nowNanos - gone.sinceNanos();
  }

  /**
   * Returns a time no later than the first deadline; {@link Long#MAX_VALUE} if the queue is empty.
   */
  long nextDeadlineNanos() {
    return waiting.isEmpty() ? Long.MAX_VALUE : nextDeadlineNanos;
  }
}
