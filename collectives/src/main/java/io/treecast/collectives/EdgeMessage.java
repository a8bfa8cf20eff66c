package io.treecast.collectives;

import java.util.List;

/**
 * What the two ends of an edge say to each other on its data stream. The two directions of an edge
 * are independent: each end attaches and detaches for what it sends. Immutable.
 */
public sealed interface EdgeMessage {

  /**
   * The sender sends items from now on, beginning as soon as it knows what the receiver has.
   * Followed by the sender's {@link Digest}, and answered by the receiver's.
   */
  record Attach() implements EdgeMessage {}

  /**
   * What the sender has. Streams that no part names begin at their {@link Position#START}.
   *
   * @param positions of some of the streams
   * @param last whether this is the last part
   */
  record Digest(List<StreamPosition> positions, boolean last) implements EdgeMessage {
    /** The most positions in one part, so that a part is far smaller than the largest frame. */
    public static final int MAX_POSITIONS = 1_000;

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_POSITIONS}
     */
    public Digest {
      if (positions.size() > MAX_POSITIONS) {
        throw new IllegalArgumentException(
            "digest part of " + positions.size() + " streams; allowed are " + MAX_POSITIONS);
      }
      positions = List.copyOf(positions);
    }
  }

  /**
   * The next content of some stream.
   *
   * @param item a chunk or a gap
   */
  record Data(LogItem item) implements EdgeMessage {}

  /**
   * The sender takes so many bytes more. Has nothing to do with attachment: both ends grant their
   * window when the data stream opens.
   *
   * @param bytes counted by {@link LogItem#cost()}
   */
  record Credit(long bytes) implements EdgeMessage {}

  /** The sender sends no more items until it attaches again, and takes those that still come. */
  record Detach() implements EdgeMessage {}
}
