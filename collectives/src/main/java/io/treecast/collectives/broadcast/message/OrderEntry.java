package io.treecast.collectives.broadcast.message;

/**
 * A step of the total order of a topic: it places the messages of a stream up to {@code sequence}
 * that have no place yet. That is a single message, unless the root missed earlier ones.
 *
 * @param position position of the message
 * @param stream stream of the message
 * @param sequence sequence of the message
 */
public record OrderEntry(OrderPosition position, StreamId stream, long sequence) {
  /**
   * Checks the sequence.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public OrderEntry {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequence " + sequence + " is less than 1");
    }
  }

  /** Returns the place where the stream continues behind the message. */
  public Position end() {
    return new Position(sequence + 1, 0);
  }

  /** Returns for example {@code 7.42 is 12/9f3a6c01d2e4b587/prices/4}. */
  @Override
  public String toString() {
    return position + " is " + stream + "/" + sequence;
  }
}
