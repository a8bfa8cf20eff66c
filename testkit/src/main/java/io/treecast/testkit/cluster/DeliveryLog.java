package io.treecast.testkit.cluster;

import io.treecast.collectives.broadcast.message.MessageId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which broadcast was published when, for whom, and delivered to whom when and how often.
 * Thread-safe.
 */
public final class DeliveryLog {

  /**
   * The record of one broadcast.
   *
   * @param id its name
   * @param publishedNanos when its origin accepted it
   * @param treeVersion the tree that it was published on
   * @param origin the life that published it
   * @param audience the lives that were subscribed then: to the default topic wherever they ran, to
   *     other topics at the members of that tree; without those that unsubscribed before it was
   *     delivered
   * @param deliveredNanos when it was first delivered in full, by life
   * @param duplicates further deliveries
   */
  public record Broadcast(
      MessageId id,
      long publishedNanos,
      long treeVersion,
      Life origin,
      SortedSet<Life> audience,
      SortedMap<Life, Long> deliveredNanos,
      int duplicates) {

    /**
     * Returns the time from publication to the last of the first deliveries, in nanoseconds; 0 if
     * there is none.
     */
    public long lastNanos() {
      return deliveredNanos.values().stream().mapToLong(at -> at - publishedNanos).max().orElse(0);
    }
  }

  private static final class Entry {
    final SortedMap<Life, Long> deliveredNanos = new TreeMap<>();
    final SortedSet<Life> audience = new TreeSet<>();
    @Nullable Life origin;
    long publishedNanos;
    long treeVersion;
    int duplicates;
  }

  private final Map<MessageId, Entry> entries = new LinkedHashMap<>();
  private long totalCount;
  private long lastNanos;

  private static long lastNanos(Entry entry) {
    return entry.deliveredNanos.values().stream()
        .mapToLong(at -> at - entry.publishedNanos)
        .max()
        .orElse(0);
  }

  private Entry entry(MessageId id) {
    return entries.computeIfAbsent(id, unused -> new Entry());
  }

  /** A broadcast was accepted. Its origin may have delivered it to itself before this call. */
  public synchronized void published(
      MessageId id, long nowNanos, long treeVersion, Life origin, SortedSet<Life> audience) {
    Entry entry = entry(id);
    entry.publishedNanos = nowNanos;
    entry.treeVersion = treeVersion;
    entry.origin = origin;
    entry.audience.addAll(audience);
  }

  /** Ends a subscription: the subscriber is owed no further broadcasts of the topic. */
  public synchronized void unsubscribed(Life life, String topic) {
    entries.forEach(
        (id, entry) -> {
          if (id.topic().equals(topic) && !entry.deliveredNanos.containsKey(life)) {
            entry.audience.remove(life);
          }
        });
  }

  /** A broadcast was delivered in full. */
  public synchronized void delivered(MessageId id, Life life, long nowNanos) {
    Entry entry = entry(id);
    totalCount++;
    lastNanos = Math.max(lastNanos, nowNanos);
    if (entry.deliveredNanos.putIfAbsent(life, nowNanos) != null) {
      entry.duplicates++;
    }
  }

  /** Returns when it was first delivered in full, by life. */
  public synchronized SortedMap<Life, Long> deliveredNanos(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null ? new TreeMap<>() : new TreeMap<>(entry.deliveredNanos);
  }

  /** A life was told that it will not get a broadcast after all, and why: it is not owed it. */
  public synchronized void excused(MessageId id, Life life) {
    entry(id).audience.remove(life);
  }

  /** Returns how many lives it was delivered to. */
  public synchronized int count(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null ? 0 : entry.deliveredNanos.size();
  }

  /** Deliveries of all broadcasts together, repeated ones included. */
  public synchronized long totalCount() {
    return totalCount;
  }

  /** Returns when anything was last delivered. */
  public synchronized long lastDeliveryNanos() {
    return lastNanos;
  }

  /** From publication to the last of the deliveries so far, nanoseconds. */
  public synchronized long lastNanos(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null || entry.origin == null ? 0 : lastNanos(entry);
  }

  /** All broadcasts that were published through the cluster, in that order. */
  public synchronized List<Broadcast> broadcasts() {
    List<Broadcast> all = new ArrayList<>();
    entries.forEach(
        (id, entry) -> {
          Life origin = entry.origin;
          if (origin != null) {
            all.add(
                new Broadcast(
                    id,
                    entry.publishedNanos,
                    entry.treeVersion,
                    origin,
                    new TreeSet<>(entry.audience),
                    new TreeMap<>(entry.deliveredNanos),
                    entry.duplicates));
          }
        });
    return all;
  }
}
