package io.treecast.it.cluster;

import io.treecast.client.Message;
import io.treecast.client.MessageHandler;
import io.treecast.client.MissedMessages;
import io.treecast.client.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An application that stays subscribed through all faults of its agent, and checks whole messages:
 * each message of a stream arrives once and in order, or is reported as missed. Written by the
 * subscription's thread, read by any.
 */
final class ContinuousAudience implements MessageHandler {
  /** One start of one agent. */
  record Stream(String origin, long incarnation) implements Comparable<Stream> {
    @Override
    public int compareTo(Stream other) {
      int byOrigin = origin.compareTo(other.origin);
      return byOrigin != 0 ? byOrigin : Long.compare(incarnation, other.incarnation);
    }
  }

  private final int node;
  private final TreeMap<Stream, Long> last = new TreeMap<>();
  private final TreeMap<String, Long> arrivedNanos = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private long delivered;
  private long missed;
  private long interruptions;
  private long longestGapNanos;

  ContinuousAudience(int node) {
    this.node = node;
  }

  @Override
  public synchronized void onBegan(Positions positions) {
    positions.messages().stream()
        .filter(id -> id.lane() == 0)
        .forEach(id -> last.put(new Stream(id.origin(), id.incarnation()), id.sequence()));
  }

  @Override
  public synchronized void onMessage(Message message) {
    if (message.messageId().lane() != 0) {
      return;
    }
    Stream stream = new Stream(message.origin(), message.incarnation());
    expect(stream, message.sequence(), message.sequence());
    delivered++;
    long now = System.nanoTime();
    Long before = arrivedNanos.put(message.origin(), now);
    longestGapNanos = Math.max(longestGapNanos, before == null ? 0 : now - before);
  }

  @Override
  public synchronized void onMissed(MissedMessages gone) {
    if (gone.lane() != 0) {
      return;
    }
    expect(
        new Stream(gone.origin(), gone.incarnation()), gone.firstSequence(), gone.lastSequence());
    missed += gone.lastSequence() - gone.firstSequence() + 1;
  }

  private void expect(Stream stream, long first, long lastSequence) {
    long due = last.getOrDefault(stream, 0L) + 1;
    if (first != due) {
      problems.add("node %d got %s/%d when %d was due".formatted(node, stream, first, due));
    }
    last.put(stream, lastSequence);
  }

  @Override
  public synchronized void onInterrupted(String reason) {
    interruptions++;
  }

  /** Returns the longest time without a message of one origin since the last call. */
  synchronized long takeLongestGapNanos() {
    long longest = longestGapNanos;
    longestGapNanos = 0;
    return longest;
  }

  synchronized Map<Stream, Long> last() {
    return new TreeMap<>(last);
  }

  synchronized List<String> problems() {
    return List.copyOf(problems);
  }

  synchronized long delivered() {
    return delivered;
  }

  synchronized long interruptions() {
    return interruptions;
  }

  synchronized long missedMessages() {
    return missed;
  }
}
