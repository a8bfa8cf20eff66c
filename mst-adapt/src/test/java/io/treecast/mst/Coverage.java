package io.treecast.mst;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How often each rare branch was reached and each kind of message was sent. */
final class Coverage {
  private final Map<RareBranch, Long> branches = new EnumMap<>(RareBranch.class);
  private final Map<String, Integer> messages = new TreeMap<>();

  void reached(RareBranch branch) {
    branches.merge(branch, 1L, Long::sum);
  }

  void sent(String type) {
    messages.merge(type, 1, Integer::sum);
  }

  Map<RareBranch, Long> branches() {
    return branches;
  }

  /** The number of messages by type, those of handshakes included. */
  Map<String, Integer> messages() {
    return messages;
  }

  void resetMessages() {
    messages.clear();
  }

  @Override
  public String toString() {
    return branches + ", " + messages;
  }
}
