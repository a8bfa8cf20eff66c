package io.treecast.client;

import java.nio.ByteBuffer;

/**
 * Receives the payload of one large message, chunk by chunk as it crosses the tree. Called on the
 * subscription's handler thread; until a call returns, no more is taken from the agent. The last
 * call is exactly one {@link #complete} or {@link #failed}.
 *
 * @see PayloadFile
 * @see PayloadInputStream
 */
public interface PayloadSink {
  /**
   * Receives the next bytes.
   *
   * @param bytes read-only; not to be used after the return
   */
  void chunk(ByteBuffer bytes);

  /** Receives the end of the payload, whose checksum holds. */
  void complete();

  /**
   * Receives notice that no more will come, and that the bytes received so far are worthless.
   *
   * @param why {@code INCOMPLETE} or {@code CHECKSUM_MISMATCH}
   */
  void failed(TreecastException why);
}
