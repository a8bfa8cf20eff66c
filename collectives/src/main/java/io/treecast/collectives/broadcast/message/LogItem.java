package io.treecast.collectives.broadcast.message;

/**
 * An element of a log that edges pass on: the content of a stream between two places, or the notice
 * that this content is no longer available. Consecutive items of a stream leave no hole. Immutable.
 */
public sealed interface LogItem permits Chunk, Gap {
  StreamId stream();

  /** Returns the place where the content begins. */
  Position from();

  /** Returns the place where the following content begins; after {@link #from}. */
  Position to();

  /**
   * Returns the version of the committed tree under which the content was published; for a gap,
   * that of its last message.
   */
  long treeVersion();

  /**
   * Returns the {@linkplain #cost cost} of everything that the origin has published earlier in this
   * incarnation, on any topic and lane; 0 for a gap.
   */
  long publishedBytes();

  /** Returns the bytes that the item takes from a window, buffer or log; equal at both ends. */
  long cost();

  /** Returns roughly how much of {@link #cost} is memory that is not transmitted on a link. */
  default long unsentCost() {
    return Chunk.OVERHEAD_BYTES - Chunk.FRAME_BYTES;
  }
}
