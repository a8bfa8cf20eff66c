package io.treecast.mst;

import io.treecast.ghs.GhsMessage;

/** What the tree protocol sends over a link. Immutable. */
public sealed interface TreeMessage {

  /** The kind of message, for counting: the name that metrics, reports and documentation use. */
  String type();

  /** A message of the merge automaton. */
  record Merge(GhsMessage message) implements TreeMessage {
    @Override
    public String type() {
      return message.getClass().getSimpleName();
    }
  }

  /** Merging has ended: this is the tree. Passed on away from the root. */
  record Commit(CommittedTree tree) implements TreeMessage {
    @Override
    public String type() {
      return "Commit";
    }
  }
}
