package io.treecast.collectives;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * Where chunks leave a relay, in order: those that wait, and the credit in bytes to send more.
 * Needs no limit of its own: every chunk in it is counted by its inlet. Relay's thread.
 */
final class Outlet {
  private final Consumer<Chunk> sender;
  private final ArrayDeque<WaitingChunk> queue = new ArrayDeque<>();
  private long creditBytes;

  Outlet(Consumer<Chunk> sender) {
    this.sender = sender;
  }

  /** Sends the chunk behind those that wait, at once if there is credit for it. */
  void put(WaitingChunk chunk) {
    chunk.hold();
    queue.add(chunk);
    sendWhatCreditAllows();
  }

  long creditBytes() {
    return creditBytes;
  }

  void addCredit(long bytes) {
    creditBytes += bytes;
    sendWhatCreditAllows();
  }

  /** Gives up all waiting chunks and all credit; returns how many chunks those were. */
  int discard() {
    int chunks = queue.size();
    creditBytes = 0;
    for (WaitingChunk head = queue.poll(); head != null; head = queue.poll()) {
      head.letGo();
    }
    return chunks;
  }

  private void sendWhatCreditAllows() {
    for (WaitingChunk head = queue.peek();
        head != null && head.chunk().cost() <= creditBytes;
        head = queue.peek()) {
      queue.remove();
      creditBytes -= head.chunk().cost();
      sender.accept(head.chunk());
      head.letGo();
    }
  }
}
