package io.treecast.collectives.broadcast.message;

import io.treecast.collectives.broadcast.log.Lives;
import io.treecast.collectives.broadcast.tree.TreeEpoch;
import java.util.ArrayList;
import java.util.List;

/**
 * What the two ends of an edge say to each other on its data stream. The two directions of an edge
 * are independent: each end attaches and detaches for what it sends. So are its two {@linkplain
 * Channel channels}, with credit of their own. Immutable.
 */
public sealed interface EdgeMessage {
  /**
   * Whether it is said of uploads, but for credit, which concerns the opposite direction: such
   * messages arrive in order, and so do all others, but one kind may overtake the other.
   */
  default boolean isOfUploads() {
    return false;
  }

  /**
   * The sender sends the channel's items from now on, beginning as soon as it knows what the
   * receiver has. Followed by the sender's {@link Digest}, and answered by the receiver's.
   */
  record Attach(Channel channel) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return channel == Channel.UPLOADS;
    }
  }

  /**
   * What the sender has. Streams that no part names begin at their {@link Position#START}.
   *
   * @param channel of all the streams
   * @param positions of some of the streams; perhaps of {@linkplain Lives lives} that are to be
   *     known
   * @param last whether this is the last part
   */
  record Digest(Channel channel, List<StreamPosition> positions, boolean last)
      implements EdgeMessage {
    /** The most positions in one part, so that a part is far smaller than the largest frame. */
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
   * The next content of some stream.
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
   * The sender takes so many bytes more of the channel's items. The first one on a data stream
   * grants a window, as soon as either end has attached; it may grow, and that for uploads is
   * {@linkplain UnusedCredit given back} when there are none.
   *
   * @param bytes counted by {@link LogItem#cost()}
   * @param windowBytes how much of that makes the window larger; the rest has been passed on
   */
  record Credit(Channel channel, long bytes, long windowBytes) implements EdgeMessage {}

  /**
   * The sender will not use so much of the credit for {@linkplain Channel#UPLOADS uploads} that the
   * receiver has granted: the window is smaller by that.
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
   * How far every member of the sender's subtree has come: from child to parent in the committed
   * tree. Adds to what the sender has said before of the same tree on this data stream; streams
   * that it has never named begin at their {@link Position#START}.
   *
   * @param treeVersion of the tree that this is about
   * @param positions of streams that have grown, at most {@link Digest#MAX_POSITIONS}, each at the
   *     begin of a message unless its lane is of uploads
   * @param awaitsAbsent whether a member of the subtree awaits one that the tree lacks
   * @param brieflyAbsent the most members that one of the subtree knows to be absent for so short a
   *     time that uploads wait for them
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
   * How far every member of the committed tree has come: from the root to all. Adds to what was
   * said before of the same tree.
   *
   * @param treeVersion of the tree that this is about
   * @param positions of streams that have grown, at most {@link Digest#MAX_POSITIONS}
   * @param isRetained whether what comes before is retained, as far as there is room, since a
   *     member awaits one that the tree lacks
   * @param brieflyAbsent the most members that any member knows to be absent for so short a time
   *     that uploads wait for them
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
   * Receipts for a message that asks for them: from a member to its neighbour towards the message's
   * origin, in the tree that it has committed. Adds to what was said before.
   *
   * @param message which
   * @param receiptMillis as in its chunks
   * @param receipts at most {@link #MAX_RECEIPTS}, with times by the receiver's clock
   */
  record Delivered(MessageId message, int receiptMillis, List<Receipt> receipts)
      implements EdgeMessage {
    /** The most receipts in one message, so that it is far smaller than the largest frame. */
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
   * Members that have the whole of a message whose publisher waits for replicas: from a member to
   * its neighbour towards the message's origin, in the tree that it has committed. Adds to what was
   * said before.
   *
   * @param message which
   * @param wanted as in its chunks; there are some
   * @param replicas at most {@link #MAX_REPLICAS}
   */
  record Replicated(MessageId message, WantedReplicas wanted, List<Replica> replicas)
      implements EdgeMessage {
    /** The most members in one message, so that it is far smaller than the largest frame. */
    public static final int MAX_REPLICAS = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_REPLICAS}, or none are
     *     wanted
     */
    public Replicated {
      if (!wanted.any()) {
        throw new IllegalArgumentException("replicas of " + message + " are not wanted");
      }
      replicas = atMost(MAX_REPLICAS, "replicas in one message", replicas);
    }
  }

  /**
   * Which topics the sender wants of the receiver, besides the default topic: a difference to what
   * it has said before on this data stream, which began with none. On an edge of the sender's
   * committed tree, those that a member on the sender's side subscribes to.
   *
   * @param treeVersion of the sender's committed tree
   * @param number counts what the sender has said of topics, upwards
   * @param added at most {@link #MAX_TOPICS}
   * @param removed at most {@link #MAX_TOPICS}
   * @param asks whether the receiver is to answer with {@link InterestKnown}
   * @param asksOfDefaultTopic whether that is to say, too, where what is published under the tree
   *     begins in the streams of the default topic
   * @param last whether this is the last part; only then it is what the tree's members want
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
    /** The most topics in one list, so that a part is far smaller than the largest frame. */
    public static final int MAX_TOPICS = 1_000;

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if one has more than {@link #MAX_TOPICS}
     */
    public Interest {
      added = atMost(MAX_TOPICS, "topics of interest", added);
      removed = atMost(MAX_TOPICS, "topics of interest", removed);
    }

    /** Where the default topic is not asked for. */
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
   * All members on the sender's side know what the receiver has said of topics up to a number, and
   * what they have said because of it.
   *
   * @param number of the {@link Interest} that asked
   * @param positions of streams of the topics that the receiver wants, and of the default topic if
   *     it asked for that: each no further than somebody had come when that was heard, and further
   *     than what was published before the publisher heard it; at most {@link Digest#MAX_POSITIONS}
   * @param forgotten all that there was of other streams of these topics, which somebody has
   *     forgotten: whoever lacks some will not get it from there; at most {@link
   *     Digest#MAX_POSITIONS}
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

    /** Where nothing is known to be forgotten. */
    public InterestKnown(long number, List<StreamPosition> positions, boolean last) {
      this(number, positions, List.of(), last);
    }
  }

  /**
   * What members have decided of the total order of a topic, and others may lack: from child to
   * parent, of its subtree, before the order goes on in a new committed tree; then from parent to
   * child, of all members. Goes on where the message before ended, until the last.
   *
   * @param treeVersion of the committed tree
   * @param topic whose order
   * @param epochs in which it was decided, as far back as it matters
   * @param entries in the order in which they were decided, at most {@link OrderNext#MAX_ENTRIES}
   * @param last whether nothing follows
   */
  record OrderTail(
      long treeVersion,
      String topic,
      List<TreeEpoch> epochs,
      List<OrderEntry> entries,
      boolean last)
      implements EdgeMessage {
    /** The most epochs in one message. */
    public static final int MAX_EPOCHS = OrderLineage.MAX_EPOCHS;

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if there are more epochs or entries than may be
     */
    public OrderTail {
      epochs = atMost(MAX_EPOCHS, "epochs", epochs);
      entries = atMost(OrderNext.MAX_ENTRIES, "order entries", entries);
    }
  }

  /**
   * How the total order of a topic goes on: from the root of a committed tree to those who want it.
   * And the other way, when it has begun there: what members have and were told no place of. Then
   * the positions do not count, and the root gives places to what it has forgotten of that.
   *
   * @param treeVersion of the committed tree
   * @param topic whose order
   * @param entries at most {@link #MAX_ENTRIES}
   */
  record OrderNext(long treeVersion, String topic, List<OrderEntry> entries)
      implements EdgeMessage {
    /** The most entries in one message, so that it is far smaller than the largest frame. */
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

  /** Cuts a list in parts that fit in a message; at least one. */
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
   * The sender sends no more of the channel's items until it attaches again, and takes those that
   * still come.
   */
  record Detach(Channel channel) implements EdgeMessage {
    @Override
    public boolean isOfUploads() {
      return channel == Channel.UPLOADS;
    }
  }
}
