package io.treecast.agent.core.data;

import io.treecast.agent.core.message.DataMessage.OfService;
import io.treecast.ghs.NodeId;
import io.treecast.mst.CommittedTree;

/**
 * A service of the members that follows the committed tree, and whose parts at neighbours exchange
 * messages on the data streams of their links.
 *
 * <p>An edge of the tree has a data stream soon after the commit; other links may have one, too. A
 * message on a stream arrives after all earlier ones, or the stream closes. A part bounds what
 * waits for a slow stream by itself.
 */
public interface TreeService {
  /** Handles a tree that this agent has committed. */
  void treeCommitted(CommittedTree tree, long nowNanos);

  /** Handles a data stream that is up: messages may be sent on it. */
  void streamOpened(NodeId neighbour, long nowNanos);

  /** Handles a data stream that is down. Messages that were sent on it may be lost. */
  void streamClosed(NodeId neighbour);

  /** Handles a neighbour's message; returns false if it is not one of this service. */
  boolean received(NodeId neighbour, OfService message, long nowNanos);

  /** Does what is due. */
  void tick(long nowNanos);

  /** Returns when {@link #tick} is due; {@link Long#MAX_VALUE} for never. */
  long nextDeadlineNanos();
}
