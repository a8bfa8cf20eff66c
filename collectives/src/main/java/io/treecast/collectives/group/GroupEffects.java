package io.treecast.collectives.group;

import io.treecast.ghs.NodeId;

/** Effects of {@link Groups}. */
public interface GroupEffects {
  /** Sends a message on the open stream of a neighbour. */
  void send(NodeId neighbour, GroupMessage message);

  /** Reports a new view of a group that an application of this member has joined or watches. */
  void show(GroupView view);

  /** Reports a neighbour's breach of a rule. */
  void violated(NodeId neighbour, String reason);
}
