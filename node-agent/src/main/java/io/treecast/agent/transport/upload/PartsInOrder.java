package io.treecast.agent.transport.upload;

import io.treecast.agent.core.message.DataMessage;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Restores the order of upload parts that arrive over several connections: each part waits for
 * those of lower numbers. Unless the other end violates the protocol, the waiting parts are within
 * the credit that this end has granted, so they are bounded.
 *
 * <p>Owned by the agent's loop.
 */
public final class PartsInOrder {
  /** The limit of waiting parts; each has a chunk, or another message of the uploads' channel. */
  static final int MOST_PARTS = 1 << 16;

  private record Part(List<DataMessage> messages, long bytes) {}

  private final long mostBytes;
  private final TreeMap<Long, Part> waiting = new TreeMap<>();
  private long waitingBytes;
  private long next = 1;

  /**
   * Creates an instance without parts.
   *
   * @param mostBytes the limit of waiting bytes
   */
  public PartsInOrder(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Adds a received part; returns the violation, or null if the part is valid. */
  public @Nullable String add(long number, List<DataMessage> messages) {
    if (number < next || waiting.containsKey(number)) {
      return "part " + number + " of the uploads arrived twice";
    }
    long bytes = messages.stream().mapToLong(UploadMessages::bytes).sum();
    if (number > next && (waitingBytes + bytes > mostBytes || waiting.size() == MOST_PARTS)) {
      return "more than " + mostBytes + " bytes of uploads arrived before part " + next;
    }
    waiting.put(number, new Part(messages, bytes));
    waitingBytes += bytes;
    return null;
  }

  /** Returns and removes the next part in order; null if it has not arrived. */
  public @Nullable List<DataMessage> poll() {
    Part part = waiting.remove(next);
    if (part == null) {
      return null;
    }
    next++;
    waitingBytes -= part.bytes();
    return part.messages();
  }
}
