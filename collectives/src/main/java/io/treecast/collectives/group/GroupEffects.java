package io.treecast.collectives.group;

import io.treecast.ghs.NodeId;

/** Effects of {@link Groups}. */
public interface GroupEffects {
  /** Returns whether a message may be sent on the open stream of a neighbour now. */
  boolean hasRoom(NodeId neighbour);

  /** Sends a message on the open stream of a neighbour. */
  void send(NodeId neighbour, GroupMessage message);

  /** Reports a new view of a group that an application of this member has joined or watches. */
  void viewChanged(GroupView view);

  /** Answers {@link Groups#list}. */
  void listed(long question, GroupList groups);

  /** Reports that a neighbour broke the protocol. */
  void violated(NodeId neighbour, String reason);
}
