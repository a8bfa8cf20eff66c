package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members that have a broadcast and have handed it to their subscribers, as reported by its
 * origin's agent. Each member of the tree on which it was published is in one of the three lists.
 * Immutable.
 *
 * @param treeVersion the version of that tree
 * @param hops the members that have the whole broadcast for their subscribers, each with its route;
 *     in the order of their ids
 * @param failed members that had not confirmed when they left the origin's tree
 * @param unknown members in the tree that had not confirmed at the deadline, or that cannot
 *     confirm, for example after a restart: they may have delivered it, or may still do so
 */
public record Confirmation(
    long treeVersion, List<Hop> hops, List<String> failed, List<String> unknown) {

  /**
   * A member's delivery. Times are by the origin's clock, estimated from round trips along the
   * tree.
   *
   * @param member the node id
   * @param from the neighbour that has forwarded the broadcast; null at the origin
   * @param afterNanos the time from the publication to the delivery
   * @param errorNanos the maximum error of that time
   * @param isHandedOver whether the member has handed it to a subscriber; false if no subscriber to
   *     which it was due was connected
   */
  public record Hop(
      String member,
      @Nullable String from,
      long afterNanos,
      long errorNanos,
      boolean isHandedOver) {}

  /** Copies the lists. */
  public Confirmation {
    hops = List.copyOf(hops);
    failed = List.copyOf(failed);
    unknown = List.copyOf(unknown);
  }

  /** Returns the members that have handed it to a subscriber, in the order of their ids. */
  public List<String> delivered() {
    return hops.stream().filter(Hop::isHandedOver).map(Hop::member).toList();
  }

  /**
   * Returns the members that have it and have not handed it to a subscriber, in the order of their
   * ids, because no subscriber to which it was due was connected. An interrupted subscriber
   * receives it when it resumes, as far as logs reach back.
   */
  public List<String> withoutSubscriber() {
    return hops.stream().filter(hop -> !hop.isHandedOver()).map(Hop::member).toList();
  }

  /**
   * Returns whether all members have it, with or {@linkplain #withoutSubscriber without} a
   * subscriber.
   */
  public boolean isComplete() {
    return failed.isEmpty() && unknown.isEmpty();
  }

  /** Returns the time from the publication to the last known delivery, in nanoseconds. */
  public long timeToLastNanos() {
    return hops.stream().mapToLong(Hop::afterNanos).max().orElse(0);
  }

  /** Returns the maximum error of that time, in nanoseconds. */
  public long timeToLastErrorNanos() {
    long lastNanos = timeToLastNanos();
    long leastNanos = hops.stream().mapToLong(h -> h.afterNanos() - h.errorNanos()).max().orElse(0);
    long mostNanos = hops.stream().mapToLong(h -> h.afterNanos() + h.errorNanos()).max().orElse(0);
    return Math.max(lastNanos - leastNanos, mostNanos - lastNanos);
  }
}
