package io.treecast.collectives.broadcast.message;

/**
 * A step of the total order of a topic: what has no place yet of a stream, up to a message, comes
 * here. That is one message, unless the one who gave the place missed those before.
 *
 * @param position of the message
 * @param stream whose message
 * @param sequence of the message
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

  /** Where the stream goes on behind it. */
  public Position end() {
    return new Position(sequence + 1, 0);
  }

  /** For example {@code 7.42 is 12/9f3a6c01d2e4b587/prices/4}. */
  @Override
  public String toString() {
    return position + " is " + stream + "/" + sequence;
  }
}
