package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which members have a broadcast and have handed it to their subscribers, as its origin's agent
 * knows it. Each member of the tree that it was published on is in one of the three lists.
 * Immutable.
 *
 * @param treeVersion the version of that tree
 * @param hops the members that have the broadcast and whose subscribers lack none of it, and how it
 *     came to them; in the order of their ids
 * @param failed members that are not in the origin's tree any more, and had not confirmed
 * @param unknown members in the tree that had not confirmed when the time was over, or of which it
 *     is known that they will not, such as those that restarted: they may have delivered it, or may
 *     still
 */
public record Confirmation(
    long treeVersion, List<Hop> hops, List<String> failed, List<String> unknown) {

  /**
   * A member's delivery. Times are those of the origin's clock, estimated from round trips along
   * the tree.
   *
   * @param member the node id
   * @param from whom it had the broadcast from; null at the origin
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

  /** The members that have handed it to a subscriber, in the order of their ids. */
  public List<String> delivered() {
    return hops.stream().filter(Hop::isHandedOver).map(Hop::member).toList();
  }

  /**
   * The members that have it and handed it to nobody, in the order of their ids: no subscriber was
   * connected then that was due it. One that was interrupted gets it when it goes on, as far as
   * logs reach.
   */
  public List<String> withoutSubscriber() {
    return hops.stream().filter(hop -> !hop.isHandedOver()).map(Hop::member).toList();
  }

  /** Whether all members have it, with or {@linkplain #withoutSubscriber without} a subscriber. */
  public boolean isComplete() {
    return failed.isEmpty() && unknown.isEmpty();
  }

  /** From the publication to the last of the deliveries that are known, nanoseconds. */
  public long timeToLastNanos() {
    return hops.stream().mapToLong(Hop::afterNanos).max().orElse(0);
  }

  /** How much shorter or longer that may have taken, at most, nanoseconds. */
  public long timeToLastErrorNanos() {
    long lastNanos = timeToLastNanos();
    long leastNanos = hops.stream().mapToLong(h -> h.afterNanos() - h.errorNanos()).max().orElse(0);
    long mostNanos = hops.stream().mapToLong(h -> h.afterNanos() + h.errorNanos()).max().orElse(0);
    return Math.max(lastNanos - leastNanos, mostNanos - lastNanos);
  }
}
