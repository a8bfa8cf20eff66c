package io.treecast.collectives.broadcast.message;

import java.nio.ByteBuffer;

/**
 * A publisher's remarks on a whole broadcast, beside its payload. Agents carry the headers and do
 * not read them. Immutable as long as nobody writes to the memory behind the headers.
 *
 * @param publishedUnixMillis the time of publication by the clock of the origin; 0 if unknown
 * @param headers names and values as publishers and subscribers encode them; may be empty
 */
public record Envelope(long publishedUnixMillis, ByteBuffer headers) {
  /** The most bytes of headers. */
  public static final int MAX_HEADER_BYTES = 4_096;

  /** Says nothing. */
  public static final Envelope EMPTY = new Envelope(0, ByteBuffer.allocate(0));

  /**
   * Takes a view of the headers, without copying them.
   *
   * @throws IllegalArgumentException if the time is negative, or the headers are too large
   */
  public Envelope {
    if (publishedUnixMillis < 0) {
      throw new IllegalArgumentException("time of publication " + publishedUnixMillis);
    }
    if (headers.remaining() > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          headers.remaining() + " bytes of headers; allowed are " + MAX_HEADER_BYTES);
    }
    headers = headers.slice();
  }

  int headerBytes() {
    return headers.remaining();
  }
}
