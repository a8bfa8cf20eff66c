package io.treecast.collectives.broadcast.message;

/**
 * Content that a member lacks and that is no longer in the log of the neighbour from which it
 * should come. A gap takes the place of that content in every log and stream downstream.
 *
 * @param stream the stream of the missing content
 * @param from first missing place
 * @param to the place where the stream continues; perhaps inside a message, whose rest is then
 *     useless
 * @param treeVersion the highest version of a committed tree under which any of the content was
 *     published
 */
public record Gap(StreamId stream, Position from, Position to, long treeVersion)
    implements LogItem {

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if the gap is empty or {@code treeVersion < 1}
   */
  public Gap {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("gap of " + stream + " from " + from + " to " + to);
    }
    if (treeVersion < 1) {
      throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
    }
  }

  /** Returns the gap that covers the whole message of the chunk at this place. */
  public static Gap ofMessage(StreamId stream, Position inside, long treeVersion) {
    long sequence = inside.sequence();
    return new Gap(stream, new Position(sequence, 0), new Position(sequence + 1, 0), treeVersion);
  }

  /** Returns the sequence of the first message that is missing, at least in part. */
  public long firstMissed() {
    return from.sequence();
  }

  /** Returns the sequence of the last message that is missing, at least in part. */
  public long lastMissed() {
    return to.insideMessage() ? to.sequence() : to.sequence() - 1;
  }

  /**
   * Returns the part of this gap that is not before the given place, which must be before its end.
   */
  public Gap after(Position place) {
    return from.isBefore(place) ? new Gap(stream, place, to, treeVersion) : this;
  }

  @Override
  public long publishedBytes() {
    return 0;
  }

  @Override
  public long cost() {
    return Chunk.cost(0);
  }

  /** For example {@code gap in 12/9f3a6c01d2e4b587 from message 1 chunk 0 to message 4 chunk 0}. */
  @Override
  public String toString() {
    return "gap in " + stream + " from " + from + " to " + to;
  }
}
