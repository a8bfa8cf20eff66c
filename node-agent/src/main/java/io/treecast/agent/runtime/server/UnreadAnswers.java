package io.treecast.agent.runtime.server;

/**
 * The size of the answers that gRPC was given and clients have not read: it keeps them, however
 * large. One answer they may always leave unread. Thread-safe.
 */
public final class UnreadAnswers {
  private final long maxBytes;
  private long bytes;

  /**
   * None yet.
   *
   * @param maxBytes what clients may leave unread together
   */
  public UnreadAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Counts an answer until it is {@link #over}; or not, as there is no room for it. */
  public synchronized boolean add(int answerBytes) {
    if (bytes > 0 && bytes + answerBytes > maxBytes) {
      return false;
    }
    bytes += answerBytes;
    return true;
  }

  /** An answer was read, or nobody will. */
  public synchronized void over(int answerBytes) {
    bytes -= answerBytes;
  }

  /** Of those that are not read. */
  public synchronized long bytes() {
    return bytes;
  }

  public long maxBytes() {
    return maxBytes;
  }
}
