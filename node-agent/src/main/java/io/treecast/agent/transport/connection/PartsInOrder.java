package io.treecast.agent.transport.connection;

import io.treecast.agent.core.message.DataMessage;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the uploads that have come by several connections, until their turn: each waits for
 * those of lower numbers. The waiting parts are within the credit that this end has granted, unless
 * the other end breaks the rules, so they are bounded.
 *
 * <p>Owned by the agent's loop.
 */
public final class PartsInOrder {
  /** Parts that may wait; each has a chunk, or says something of the uploads' channel. */
  static final int MOST_PARTS = 1 << 16;

  private record Part(List<DataMessage> messages, long bytes) {}

  private final long mostBytes;
  private final TreeMap<Long, Part> waiting = new TreeMap<>();
  private long waitingBytes;
  private long next = 1;

  /**
   * None yet.
   *
   * @param mostBytes as much may wait
   */
  public PartsInOrder(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** A part has come; gives why it cannot be one, null if it can. */
  public @Nullable String add(long number, List<DataMessage> messages) {
    if (number < next || waiting.containsKey(number)) {
      return "part " + number + " of the uploads came twice";
    }
    long bytes = messages.stream().mapToLong(UploadMessages::bytes).sum();
    if (number > next && (waitingBytes + bytes > mostBytes || waiting.size() == MOST_PARTS)) {
      return "more of the uploads than " + mostBytes + " bytes came before part " + next;
    }
    waiting.put(number, new Part(messages, bytes));
    waitingBytes += bytes;
    return null;
  }

  /** The part whose turn it is; null if it has not come. */
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
