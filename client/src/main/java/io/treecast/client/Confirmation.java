package io.treecast.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which members have delivered a broadcast, as its origin's agent knows it. Each member of the tree
 * that it was published on is in one of the three lists. Immutable.
 *
 * @param treeVersion the version of that tree
 * @param hops the members that have delivered it to all their subscribers, and how it came to them;
 *     in the order of their ids
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
   */
  public record Hop(String member, @Nullable String from, long afterNanos, long errorNanos) {}

  /** Takes copies of the lists. */
  public Confirmation {
    hops = List.copyOf(hops);
    failed = List.copyOf(failed);
    unknown = List.copyOf(unknown);
  }

  /** The members that have delivered it, in the order of their ids. */
  public List<String> delivered() {
    return hops.stream().map(Hop::member).toList();
  }

  /** Whether all members have delivered it. */
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
