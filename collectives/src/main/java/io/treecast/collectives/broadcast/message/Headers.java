package io.treecast.collectives.broadcast.message;

import java.nio.ByteBuffer;

/**
 * Names and values that a publisher adds to a broadcast. Agents carry them and do not read them.
 * Immutable as long as the memory behind the bytes does not change.
 *
 * @param bytes the names and values as publishers and subscribers encode them; may be empty
 */
public record Headers(ByteBuffer bytes) {
  /** The most bytes of headers. */
  public static final int MAX_BYTES = 4_096;

  /** The headers of a broadcast without headers. */
  public static final Headers NONE = new Headers(ByteBuffer.allocate(0));

  /**
   * Takes a view of the bytes, without copying them.
   *
   * @throws IllegalArgumentException if they are too many
   */
  public Headers {
    if (bytes.remaining() > MAX_BYTES) {
      throw new IllegalArgumentException(
          bytes.remaining() + " bytes of headers; allowed are " + MAX_BYTES);
    }
    bytes = bytes.slice();
  }
}
