package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.log.Incarnations;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.List;

/**
 * A message between the two ends of an edge, on its data stream. The two directions of an edge are
 * independent: each end attaches and detaches for the items that it sends. So are its two
 * {@linkplain Channel channels}, each with its own credit. Immutable.
 */
public sealed interface EdgeMessage {
  /**
   * Whether the message concerns uploads. Such messages arrive in order, and so do all others, but
   * one kind may overtake the other. Credit for uploads belongs to the others, because it concerns
   * the opposite direction.
   */
  default boolean isOfUploads() {
    return false;
  }

  /**
   * Announces that the sender sends the channel's items from now on, beginning as soon as it knows
   * which of them the receiver has. Followed by the sender's {@link Digest}, and answered by the
   * receiver's.
   */
  record Attach(Channel channel) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return channel == Channel.UPLOADS;
    }
  }

  /**
   * The positions that the sender has reached. A stream that no part names begins at its {@link
   * Position#START}.
   *
   * @param channel the channel of all the streams
   * @param positions positions of some of the streams; perhaps of {@linkplain Incarnations
   *     incarnations} to make known
   * @param last whether this is the last part
   */
  record Digest(Channel channel, List<StreamPosition> positions, boolean last)
      implements EdgeMessage {
    /**
     * The largest number of positions in one part, so that a part is far smaller than the largest
     * frame.
     */
    public static final int MAX_POSITIONS = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_POSITIONS}
     */
    public Digest {
      positions = atMostMaxPositions("digest part", positions);
    }

    @Override
    public boolean isOfUploads() {
      return channel == Channel.UPLOADS;
    }
  }

  /**
   * The next content of a stream.
   *
   * @param item a chunk or a gap
   */
  record Data(LogItem item) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return item.stream().channel() == Channel.UPLOADS;
    }
  }

  /**
   * Credit: the sender accepts more bytes of the channel's items. The first grant on a data stream
   * is a window, given as soon as either end has attached. The window may grow, and the window for
   * uploads is {@linkplain UnusedCredit given back} while there are no uploads.
   *
   * @param bytes counted by {@link LogItem#cost()}
   * @param windowBytes the part of {@code bytes} that enlarges the window; the rest replaces items
   *     that have been passed on
   */
  record Credit(Channel channel, long bytes, long windowBytes) implements EdgeMessage {}

  /**
   * Returns credit for {@linkplain Channel#UPLOADS uploads} that the sender will not use; the
   * window shrinks by it.
   *
   * @param bytes counted by {@link LogItem#cost()}
   */
  record UnusedCredit(long bytes) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return true;
    }
  }

  /**
   * The positions that every member of the sender's subtree has reached; sent from child to parent
   * in the committed tree. Updates the sender's earlier reports for the same tree on this data
   * stream. A stream that it has never named begins at its {@link Position#START}.
   *
   * @param treeVersion version of the tree that the report is about
   * @param positions positions of streams that have grown, at most {@link Digest#MAX_POSITIONS},
   *     each at the beginning of a message unless its lane is of uploads
   * @param awaitsAbsent whether a member of the subtree awaits a member that the tree lacks
   * @param brieflyAbsent the largest number of members that a member of the subtree knows to be
   *     absent for so short a time that uploads wait for them
   */
  record Have(
      long treeVersion, List<StreamPosition> positions, boolean awaitsAbsent, int brieflyAbsent)
      implements EdgeMessage {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link Digest#MAX_POSITIONS}
     */
    public Have {
      positions = atMostMaxPositions("have", positions);
    }
  }

  /**
   * The positions that every member of the committed tree has reached; sent from the root to all,
   * or for a selection only towards the members that it concerns. Updates earlier reports for the
   * same tree.
   *
   * @param treeVersion version of the tree that the report is about
   * @param positions positions of streams that have grown, at most {@link Digest#MAX_POSITIONS}
   * @param isRetained whether the content before these positions is retained, as far as there is
   *     room, because a member awaits one that the tree lacks
   * @param brieflyAbsent the largest number of members that any member knows to be absent for so
   *     short a time that uploads wait for them
   */
  record Stable(
      long treeVersion, List<StreamPosition> positions, boolean isRetained, int brieflyAbsent)
      implements EdgeMessage {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link Digest#MAX_POSITIONS}
     */
    public Stable {
      positions = atMostMaxPositions("stable", positions);
    }
  }

  /**
   * Receipts for a message that requests them; sent from a member to its neighbour towards the
   * message's origin, in the tree that it has committed. Adds to earlier receipts.
   *
   * @param message the message
   * @param receiptMillis as in the chunks of the message
   * @param receipts at most {@link #MAX_RECEIPTS}, with times by the receiver's clock
   */
  record Delivered(MessageId message, int receiptMillis, List<Receipt> receipts)
      implements EdgeMessage {
    /**
     * The largest number of receipts in one message, so that it is far smaller than the largest
     * frame.
     */
    public static final int MAX_RECEIPTS = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_RECEIPTS}
     */
    public Delivered {
      receipts = atMost(MAX_RECEIPTS, "receipts in one message", receipts);
    }
  }

  /**
   * Members that have the whole of a message whose publisher waits for replicas; sent from a member
   * to its neighbour towards the message's origin, in the tree that it has committed. Adds to
   * earlier reports.
   *
   * @param message the message
   * @param wanted as in the chunks of the message; not {@link WantedReplicas#NONE}
   * @param replicas at most {@link #MAX_REPLICAS}
   */
  record Replicated(MessageId message, WantedReplicas wanted, List<Replica> replicas)
      implements EdgeMessage {
    /**
     * The largest number of members in one message, so that it is far smaller than the largest
     * frame.
     */
    public static final int MAX_REPLICAS = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_REPLICAS}, or no replicas
     *     are wanted
     */
    public Replicated {
      if (!wanted.any()) {
        throw new IllegalArgumentException("replicas of " + message + " are not wanted");
      }
      replicas = atMost(MAX_REPLICAS, "replicas in one message", replicas);
    }
  }

  /**
   * The topics, besides the default topic, that the sender wants from the receiver, as a difference
   * to its earlier messages on this data stream. The initial set is empty. On an edge of the
   * sender's committed tree it is the set of topics that a member on the sender's side subscribes
   * to.
   *
   * @param treeVersion version of the sender's committed tree
   * @param number sequence number of the sender's messages about topics, growing
   * @param added at most {@link #MAX_TOPICS}
   * @param removed at most {@link #MAX_TOPICS}
   * @param asks whether the receiver answers with {@link InterestKnown}
   * @param asksOfDefaultTopic whether the answer also states where content published under the tree
   *     begins in the streams of the default topic
   * @param last whether this is the last part; the set of topics is complete only then
   */
  record Interest(
      long treeVersion,
      long number,
      List<String> added,
      List<String> removed,
      boolean asks,
      boolean asksOfDefaultTopic,
      boolean last)
      implements EdgeMessage {
    /**
     * The largest number of topics in one list, so that a part is far smaller than the largest
     * frame.
     */
    public static final int MAX_TOPICS = 1_000;

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if one has more than {@link #MAX_TOPICS}, or a topic is a
     *     selection, in which the interest of members is known
     */
    public Interest {
      added.stream()
          .filter(Topic::isSelection)
          .findFirst()
          .ifPresent(
              selection -> {
                throw new IllegalArgumentException("interest in the selection '" + selection + "'");
              });
      added = atMost(MAX_TOPICS, "topics of interest", added);
      removed = atMost(MAX_TOPICS, "topics of interest", removed);
    }

    /** Creates an interest that does not ask about the default topic. */
    public Interest(
        long treeVersion,
        long number,
        List<String> added,
        List<String> removed,
        boolean asks,
        boolean last) {
      this(treeVersion, number, added, removed, asks, false, last);
    }
  }

  /**
   * Acknowledges interest: all members on the sender's side know the topics that the receiver has
   * announced up to {@code number}, and the topics that these members have announced in turn.
   *
   * @param number of the {@link Interest} that asked
   * @param positions positions of streams of the topics that the receiver wants, and of the default
   *     topic if it asked for that. Each was reached by some member when it received the interest,
   *     and lies behind everything that its publisher had published before receiving the interest.
   *     At most {@link Digest#MAX_POSITIONS}
   * @param forgotten the content of other streams of these topics, each as a whole, that some
   *     member has forgotten and can therefore not supply; at most {@link Digest#MAX_POSITIONS}
   * @param last whether this is the last part
   */
  record InterestKnown(
      long number, List<StreamPosition> positions, List<Gap> forgotten, boolean last)
      implements EdgeMessage {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if one has more than {@link Digest#MAX_POSITIONS}
     */
    public InterestKnown {
      positions = atMost(Digest.MAX_POSITIONS, "positions", positions);
      forgotten = atMost(Digest.MAX_POSITIONS, "forgotten streams", forgotten);
    }

    /** Creates an acknowledgement without forgotten streams. */
    public InterestKnown(long number, List<StreamPosition> positions, boolean last) {
      this(number, positions, List.of(), last);
    }
  }

  /**
   * The part of a topic's total order that members have decided and others may lack. Before the
   * order continues in a new committed tree, it is sent from child to parent for the subtree, then
   * from parent to child for all members. Continues where the message before ended, until the last.
   *
   * @param treeVersion version of the committed tree
   * @param topic the topic that is ordered
   * @param epochs in which the entries were decided, as far back as it matters
   * @param entries in the order of decision, at most {@link OrderNext#MAX_ENTRIES}
   * @param last whether no further part follows
   */
  record OrderTail(
      long treeVersion,
      String topic,
      List<TreeEpoch> epochs,
      List<OrderEntry> entries,
      boolean last)
      implements EdgeMessage {
    /** The largest number of epochs in one message. */
    public static final int MAX_EPOCHS = OrderLineage.MAX_EPOCHS;

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there are too many epochs or entries
     */
    public OrderTail {
      epochs = atMost(MAX_EPOCHS, "epochs", epochs);
      entries = atMost(OrderNext.MAX_ENTRIES, "order entries", entries);
    }
  }

  /**
   * The continuation of a topic's total order; sent from the root of a committed tree to the
   * members that want it. In the other direction, once the order has begun there, it lists messages
   * that the sender has and whose places it does not know. Their positions are then ignored, and
   * the root assigns places to those whose place it has forgotten.
   *
   * @param treeVersion version of the committed tree
   * @param topic the topic that is ordered
   * @param entries at most {@link #MAX_ENTRIES}
   */
  record OrderNext(long treeVersion, String topic, List<OrderEntry> entries)
      implements EdgeMessage {
    /**
     * The largest number of entries in one message, so that it is far smaller than the largest
     * frame.
     */
    public static final int MAX_ENTRIES = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_ENTRIES}
     */
    public OrderNext {
      entries = atMost(MAX_ENTRIES, "order entries", entries);
    }
  }

  /** Splits a list into parts that fit in a message; returns at least one part. */
  static <T> List<List<T>> parts(List<T> all, int most) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from == 0 || from < all.size(); from += most) {
      parts.add(List.copyOf(all.subList(from, Math.min(all.size(), from + most))));
    }
    return parts;
  }

  private static <T> List<T> atMost(int most, String what, List<T> list) {
    if (list.size() > most) {
      throw new IllegalArgumentException(list.size() + " " + what + "; allowed are " + most);
    }
    return List.copyOf(list);
  }

  private static List<StreamPosition> atMostMaxPositions(
      String what, List<StreamPosition> positions) {
    return atMost(Digest.MAX_POSITIONS, "streams in a " + what, positions);
  }

  /**
   * Announces that the sender sends no more of the channel's items until it attaches again. It
   * accepts items that still arrive.
   */
  record Detach(Channel channel) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return channel == Channel.UPLOADS;
    }
  }
}
