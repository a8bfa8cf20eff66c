package io.treecast.mst;

import io.treecast.ghs.TreeMessage;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How often each rare branch was reached and each kind of message was sent. */
final class Coverage {
  private final Map<RareBranch, Long> branches = new EnumMap<>(RareBranch.class);
  private final Map<String, Integer> messages = new TreeMap<>();
  private long bytes;

  void reached(RareBranch branch) {
    branches.merge(branch, 1L, Long::sum);
  }

  void sent(TreeMessage message) {
    messages.merge(message.type(), 1, Integer::sum);
    bytes += MessageBytes.of(message);
  }

  /** The total length of all messages, by {@link MessageBytes}. */
  long bytes() {
    return bytes;
  }

  Map<RareBranch, Long> branches() {
    return branches;
  }

  /** The number of messages by type, including those of handshakes. */
  Map<String, Integer> messages() {
    return messages;
  }

  void resetMessages() {
    messages.clear();
    bytes = 0;
  }

  @Override
  public String toString() {
    return branches + ", " + messages;
  }
}
