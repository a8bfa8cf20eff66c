package io.treecast.client;

import java.nio.ByteBuffer;

/**
 * Receives the payload of a large message, chunk by chunk as it arrives. Called on the
 * subscription's handler thread; until a call returns, the client takes no more from the agent. The
 * last call is exactly one {@link #complete} or {@link #failed}.
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

  /** Handles the end of the payload, whose checksum is valid. */
  void complete();

  /**
   * Handles the failure of the message: no more bytes will arrive, and those received so far must
   * be discarded.
   *
   * @param why {@code INCOMPLETE} or {@code CHECKSUM_MISMATCH}
   */
  void failed(TreecastException why);
}
