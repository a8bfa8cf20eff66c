package io.treecast.collectives.broadcast.message;

import io.treecast.ghs.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the origin of a message knows of its delivery. Each member of the committed tree under which
 * it was published is in one of the three lists, which are in the order of the members' ids. That a
 * member has delivered it is certain, and so is whether it had a subscriber to hand it to; one that
 * failed or is unknown may have, or may still. Immutable.
 *
 * @param message which
 * @param treeVersion of the committed tree under which it was published
 * @param delivered members that confirmed that they have it, and that their subscribers lack none
 *     of it
 * @param failed members that are not in the origin's committed tree any more, and had not confirmed
 * @param unknown the other members; that one never will deliver it does not say that none of its
 *     subscribers has it
 * @param isSettled whether this is what the origin will ever know
 */
public record Confirmation(
    MessageId message,
    long treeVersion,
    List<Hop> delivered,
    List<NodeId> failed,
    List<NodeId> unknown,
    boolean isSettled) {

  /**
   * A member's delivery, and how the message came to it.
   *
   * @param member who
   * @param from the neighbour that it had the last chunk from; null at the origin
   * @param afterNanos from the publication to the delivery, by the origin's clock
   * @param errorNanos how much shorter or longer that may have taken, at most
   * @param isHandedOver whether a subscriber of the member was handed it; false if there was none
   *     then that was due it
   */
  public record Hop(
      NodeId member,
      @Nullable NodeId from,
      long afterNanos,
      long errorNanos,
      boolean isHandedOver) {

    /** Of a member with a subscriber. */
    public Hop(NodeId member, @Nullable NodeId from, long afterNanos, long errorNanos) {
      this(member, from, afterNanos, errorNanos, true);
    }
  }

  /** Takes copies of the lists. */
  public Confirmation {
    delivered = List.copyOf(delivered);
    failed = List.copyOf(failed);
    unknown = List.copyOf(unknown);
  }
}
