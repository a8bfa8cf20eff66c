package io.treecast.collectives.broadcast.message;

/**
 * Content that a member lacks and that the log of the neighbour who should send it does not reach
 * back to. Takes the place of that content in every log and stream behind.
 *
 * @param stream whose content
 * @param from its begin
 * @param to its end, where the stream goes on; perhaps inside a message, whose rest is useless then
 * @param treeVersion the highest version of a committed tree that any of it was published under
 */
public record Gap(StreamId stream, Position from, Position to, long treeVersion)
    implements LogItem {

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if it is empty or {@code treeVersion < 1}
   */
  public Gap {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("gap of " + stream + " from " + from + " to " + to);
    }
    if (treeVersion < 1) {
      throw new IllegalArgumentException("tree version " + treeVersion + " is less than 1");
    }
  }

  /** All of the message that there is a chunk of at this place. */
  public static Gap ofMessage(StreamId stream, Position inside, long treeVersion) {
    long sequence = inside.sequence();
    return new Gap(stream, new Position(sequence, 0), new Position(sequence + 1, 0), treeVersion);
  }

  /** Sequence of the first message that is missing, at least in part. */
  public long firstMissed() {
    return from.sequence();
  }

  /** Sequence of the last message that is missing, at least in part. */
  public long lastMissed() {
    return to.insideMessage() ? to.sequence() : to.sequence() - 1;
  }

  /** What of it is not before this place, which is before its end. */
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
