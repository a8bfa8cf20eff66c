package io.treecast.agent.runtime;

/**
 * The size of the answers that gRPC was given and clients have not read: it keeps them, however
 * large. One answer they may always leave unread. Thread-safe.
 */
final class UnreadAnswers {
  private final long maxBytes;
  private long bytes;

  /**
   * None yet.
   *
   * @param maxBytes what clients may leave unread together
   */
  UnreadAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Counts an answer until it is {@link #over}; or not, as there is no room for it. */
  synchronized boolean add(int answerBytes) {
    if (bytes > 0 && bytes + answerBytes > maxBytes) {
      return false;
    }
    bytes += answerBytes;
    return true;
  }

  /** An answer was read, or nobody will. */
  synchronized void over(int answerBytes) {
    bytes -= answerBytes;
  }

  /** Of those that are not read. */
  synchronized long bytes() {
    return bytes;
  }

  long maxBytes() {
    return maxBytes;
  }
}
