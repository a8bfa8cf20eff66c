package io.treecast.collectives.broadcast.message;

/**
 * What a log keeps and edges pass on: the content of a stream between two places, or the news that
 * it cannot be had any more. Items of a stream join without a hole. Immutable.
 */
public sealed interface LogItem permits Chunk, Gap {
  StreamId stream();

  /** Where the content begins. */
  Position from();

  /** Where the content that follows begins; after {@link #from}. */
  Position to();

  /**
   * The version of the committed tree under which it was published; for a gap, its last message.
   */
  long treeVersion();

  /**
   * The {@linkplain #cost cost} of all that its origin had published before it since it started,
   * whatever the topic and lane; 0 for a gap.
   */
  long publishedBytes();

  /** What the item takes from a window, buffer or log, in bytes; the same at both ends. */
  long cost();

  /** About how much of its {@link #cost} is memory that its way on a link does not take. */
  default long unsentCost() {
    return Chunk.OVERHEAD_BYTES - Chunk.FRAME_BYTES;
  }
}
