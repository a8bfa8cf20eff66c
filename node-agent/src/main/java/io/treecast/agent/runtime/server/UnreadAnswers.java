package io.treecast.agent.runtime.server;

/**
 * The size of the answers that gRPC buffers because clients have not read them. One answer is
 * always admitted, however large. Thread-safe.
 */
public final class UnreadAnswers {
  private final long maxBytes;
  private long bytes;

  /**
   * Creates an instance without answers.
   *
   * @param maxBytes the most unread bytes of all clients together
   */
  public UnreadAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Counts an answer until {@link #over}; returns false if there is no room for it. */
  public synchronized boolean add(int answerBytes) {
    if (bytes > 0 && bytes + answerBytes > maxBytes) {
      return false;
    }
    bytes += answerBytes;
    return true;
  }

  /** Notes that an answer was read, or its call has ended. */
  public synchronized void over(int answerBytes) {
    bytes -= answerBytes;
  }

  public synchronized long bytes() {
    return bytes;
  }

  public long maxBytes() {
    return maxBytes;
  }
}
