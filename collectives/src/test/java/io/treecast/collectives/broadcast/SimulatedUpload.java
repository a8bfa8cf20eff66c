package io.treecast.collectives.broadcast;

import io.treecast.collectives.broadcast.contract.BroadcastRefusedException;
import io.treecast.collectives.broadcast.message.MessageId;
import io.treecast.collectives.broadcast.publish.Uploads;
import java.nio.ByteBuffer;
import java.util.Random;

/** A publisher that uploads a payload piece by piece, with few pieces on the way at a time. */
final class SimulatedUpload {
  private static final int MAX_WAITING = 3;

  private final Uploads uploads;
  private final long name;
  private final MessageId message;
  private final byte[] payload;
  private final boolean asks;
  private final Published published;
  private int offset;
  private int waiting;
  private boolean ended;

  SimulatedUpload(
      Uploads uploads,
      long name,
      MessageId message,
      byte[] payload,
      boolean asks,
      Published published) {
    this.uploads = uploads;
    this.name = name;
    this.message = message;
    this.payload = payload;
    this.asks = asks;
    this.published = published;
  }

  long name() {
    return name;
  }

  /** Returns whether members confirm it. */
  boolean asksForReceipts() {
    return asks;
  }

  /** Returns whether all of the payload was taken. */
  boolean isWhole() {
    return ended && waiting == 0;
  }

  /** Adds a piece, or ends the upload; returns false if it has to wait. */
  boolean proceed(Random random) {
    if (ended || waiting == MAX_WAITING) {
      return false;
    }
    if (offset == payload.length) {
      ended = true;
      uploads.end(name, null);
      return true;
    }
    int length = 1 + random.nextInt(payload.length - offset);
    waiting++;
    int from = offset;
    offset += length;
    try {
      uploads.add(name, ByteBuffer.wrap(payload, from, length));
    } catch (BroadcastRefusedException refusal) {
      throw new AssertionError(refusal);
    }
    return true;
  }

  void taken(int pieces) {
    waiting -= pieces;
    if (waiting < 0) {
      throw new AssertionError("more of upload " + name + " was taken than there is");
    }
  }

  MessageId message() {
    return message;
  }

  void abandon() {
    published.abandon(message);
    uploads.abandon(name);
  }

  /** Continues an upload of the node for a while, during another event. */
  static void anyPart(
      SimulatedNode node, Random random, Published published, RunCoverage coverage, Runnable move) {
    for (int i = random.nextInt(40); i > 0 && !node.uploads.isEmpty(); i--) {
      if (random.nextInt(3) > 0 || !node.upload(random, published, coverage)) {
        move.run();
      }
    }
  }
}
