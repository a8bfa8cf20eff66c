package io.treecast.collectives.broadcast.message;

/**
 * A place in a stream. A member at a place has all content before it, without a hole.
 *
 * @param sequence of the message that continues or begins here, from 1
 * @param index of the next chunk of that message, from 0
 */
public record Position(long sequence, long index) implements Comparable<Position> {
  /** The beginning of every stream. */
  public static final Position START = new Position(1, 0);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if {@code sequence < 1} or {@code index < 0}
   */
  public Position {
    if (sequence < 1 || index < 0) {
      throw new IllegalArgumentException(
          "position " + sequence + "." + index + " is before the first, which is " + 1 + "." + 0);
    }
  }

  /** Returns whether a message has begun before this place and continues after it. */
  public boolean insideMessage() {
    return index > 0;
  }

  public boolean isBefore(Position other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(Position other) {
    int bySequence = Long.compare(sequence, other.sequence);
    return bySequence != 0 ? bySequence : Long.compare(index, other.index);
  }

  /** Returns for example {@code message 4 chunk 0}. */
  @Override
  public String toString() {
    return "message " + sequence + " chunk " + index;
  }
}
