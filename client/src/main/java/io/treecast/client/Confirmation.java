package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members that have a broadcast and have handed it to their subscribers, as its origin's agent
 * knows them. Each member of the tree on which it was published is in one of the three lists.
 * Immutable.
 *
 * @param treeVersion the version of that tree
 * @param hops the members that have the broadcast and whose subscribers lack none of it, and how it
 *     came to them; in the order of their ids
 * @param failed members that are not in the origin's tree any more, and had not confirmed
 * @param unknown members in the tree that had not confirmed at the deadline, or that are known not
 *     to, such as those that restarted: they may have delivered it, or may still do so
 */
public record Confirmation(
    long treeVersion, List<Hop> hops, List<String> failed, List<String> unknown) {

  /**
   * A member's delivery. Times are those of the origin's clock, estimated from round trips along
   * the tree.
   *
   * @param member the node id
   * @param from the neighbour that the broadcast came from; null at the origin
   * @param afterNanos from the publication to the delivery
   * @param errorNanos how much shorter or longer that may have taken, at most
   * @param isHandedOver whether the member handed it to a subscriber; false if no subscriber was
   *     connected then that was due it
   */
  public record Hop(
      String member,
      @Nullable String from,
      long afterNanos,
      long errorNanos,
      boolean isHandedOver) {}

  /** Takes copies of the lists. */
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
   * Returns the members that have it and handed it to no subscriber, in the order of their ids:
   * none was connected then that was due it. An interrupted subscriber gets it when it resumes, as
   * far as logs reach.
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

  /** Returns by how much that time may be too long or too short, at most, in nanoseconds. */
  public long timeToLastErrorNanos() {
    long lastNanos = timeToLastNanos();
    long leastNanos = hops.stream().mapToLong(h -> h.afterNanos() - h.errorNanos()).max().orElse(0);
    long mostNanos = hops.stream().mapToLong(h -> h.afterNanos() + h.errorNanos()).max().orElse(0);
    return Math.max(lastNanos - leastNanos, mostNanos - lastNanos);
  }
}
