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
 * Record of all broadcasts: the time of publication, the audience, and the time and number of the
 * deliveries. Thread-safe.
 */
public final class DeliveryLog {

  /**
   * The record of one broadcast.
   *
   * @param id the id of the broadcast
   * @param publishedNanos the time at which its origin accepted it
   * @param treeVersion the version of the tree on which it was published
   * @param origin the incarnation that published it
   * @param audience the incarnations that were subscribed at the publication: for the default topic
   *     all that ran, for other topics those at the members of that tree. Lives that unsubscribed
   *     before the delivery, or were notified of a gap, are left out.
   * @param deliveredNanos the time of the first complete delivery, by incarnation
   * @param duplicates the number of repeated deliveries
   */
  public record Broadcast(
      MessageId id,
      long publishedNanos,
      long treeVersion,
      Incarnation origin,
      SortedSet<Incarnation> audience,
      SortedMap<Incarnation, Long> deliveredNanos,
      int duplicates) {

    /**
     * Returns the time from publication to the latest first delivery, in nanoseconds; 0 without
     * deliveries.
     */
    public long lastNanos() {
      return deliveredNanos.values().stream().mapToLong(at -> at - publishedNanos).max().orElse(0);
    }
  }

  private static final class Entry {
    final SortedMap<Incarnation, Long> deliveredNanos = new TreeMap<>();
    final SortedSet<Incarnation> audience = new TreeSet<>();
    @Nullable Incarnation origin;
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

  /** Records an accepted broadcast. Its origin may have delivered it locally before this call. */
  public synchronized void published(
      MessageId id,
      long nowNanos,
      long treeVersion,
      Incarnation origin,
      SortedSet<Incarnation> audience) {
    Entry entry = entry(id);
    entry.publishedNanos = nowNanos;
    entry.treeVersion = treeVersion;
    entry.origin = origin;
    entry.audience.addAll(audience);
  }

  /** Ends a subscription: the subscriber is owed no further broadcasts of the topic. */
  public synchronized void unsubscribed(Incarnation incarnation, String topic) {
    entries.forEach(
        (id, entry) -> {
          if (id.topic().equals(topic) && !entry.deliveredNanos.containsKey(incarnation)) {
            entry.audience.remove(incarnation);
          }
        });
  }

  /** Records a complete delivery of a broadcast. */
  public synchronized void delivered(MessageId id, Incarnation incarnation, long nowNanos) {
    Entry entry = entry(id);
    totalCount++;
    lastNanos = Math.max(lastNanos, nowNanos);
    if (entry.deliveredNanos.putIfAbsent(incarnation, nowNanos) != null) {
      entry.duplicates++;
    }
  }

  /** Returns the time of the first complete delivery of a broadcast, by incarnation. */
  public synchronized SortedMap<Incarnation, Long> deliveredNanos(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null ? new TreeMap<>() : new TreeMap<>(entry.deliveredNanos);
  }

  /** Records that a subscriber was notified of a gap: it is no longer owed the broadcast. */
  public synchronized void excused(MessageId id, Incarnation incarnation) {
    entry(id).audience.remove(incarnation);
  }

  /** Returns the number of incarnations to which a broadcast was delivered. */
  public synchronized int count(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null ? 0 : entry.deliveredNanos.size();
  }

  /** Returns the number of deliveries of all broadcasts, repeated ones included. */
  public synchronized long totalCount() {
    return totalCount;
  }

  /** Returns the time of the last delivery. */
  public synchronized long lastDeliveryNanos() {
    return lastNanos;
  }

  /** Returns the time from publication to the latest first delivery so far, in nanoseconds. */
  public synchronized long lastNanos(MessageId id) {
    Entry entry = entries.get(id);
    return entry == null || entry.origin == null ? 0 : lastNanos(entry);
  }

  /**
   * Returns all broadcasts that were published through the cluster, in the order of publication.
   */
  public synchronized List<Broadcast> broadcasts() {
    List<Broadcast> all = new ArrayList<>();
    entries.forEach(
        (id, entry) -> {
          Incarnation origin = entry.origin;
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
