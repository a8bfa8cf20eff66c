package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An origin's knowledge about the delivery of one of its messages. Each member of the committed
 * tree under which the message was published is in exactly one of the three lists, which are
 * ordered by member id. A listed delivery is certain, and so is whether the member had a subscriber
 * to hand the message to. A failed or unknown member may have delivered the message, or may still
 * deliver it. Immutable.
 *
 * @param message the message
 * @param treeVersion version of the committed tree under which the message was published
 * @param delivered members that confirmed that they have the message and that their subscribers
 *     lack none of it
 * @param failed members that left the origin's committed tree before they confirmed
 * @param unknown the other members; subscribers of a member that will never deliver the message may
 *     still have it
 * @param isSettled whether the confirmation is final
 */
public record Confirmation(
    MessageId message,
    long treeVersion,
    List<Hop> delivered,
    List<NodeId> failed,
    List<NodeId> unknown,
    boolean isSettled) {

  /**
   * The delivery at one member, and the route of the message to it.
   *
   * @param member the member
   * @param from the neighbour that sent the last chunk; null at the origin
   * @param afterNanos time from the publication to the delivery, by the origin's clock
   * @param errorNanos bound of the error of {@code afterNanos}, in either direction
   * @param isHandedOver whether a subscriber of the member received the message; false if none was
   *     entitled to it
   */
  public record Hop(
      NodeId member,
      @Nullable NodeId from,
      long afterNanos,
      long errorNanos,
      boolean isHandedOver) {

    /** Creates the hop of a member with a subscriber. */
    public Hop(NodeId member, @Nullable NodeId from, long afterNanos, long errorNanos) {
      this(member, from, afterNanos, errorNanos, true);
    }
  }

  /** Copies the lists. */
  public Confirmation {
    delivered = List.copyOf(delivered);
    failed = List.copyOf(failed);
    unknown = List.copyOf(unknown);
  }
}
