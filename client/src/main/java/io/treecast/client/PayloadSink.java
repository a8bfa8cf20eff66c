package io.treecast.client;

import java.nio.ByteBuffer;

/**
 * Takes the payload of one large message, chunk by chunk as it crosses the tree. Called on the
 * subscription's handler thread; until a call returns, nothing more is taken from the agent. Ends
 * with exactly one call of {@link #complete} or {@link #failed}.
 *
 * @see PayloadFile
 * @see PayloadInputStream
 */
public interface PayloadSink {
  /**
   * The next bytes.
   *
   * @param bytes read-only; not to be used after the return
   */
  void chunk(ByteBuffer bytes);

  /** That was all, and the checksum holds. */
  void complete();

  /**
   * No more will come, and what came is worthless.
   *
   * @param why {@code INCOMPLETE} or {@code CHECKSUM_MISMATCH}
   */
  void failed(TreecastException why);
}
